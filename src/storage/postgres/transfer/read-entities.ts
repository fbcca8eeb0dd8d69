import { sql } from "drizzle-orm";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { ExportFilter } from "../../../core/ports/keeping/transfer.ts";
import type { EntityType } from "../../../core/schema/entity.ts";
import type { TransferRecord } from "../../../core/schema/keeping/transfer.ts";
import { intArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import type { Numbered, Parts } from "./read-parts.ts";

interface NamedRow {
  readonly entity_type: EntityType;
  readonly canonical_name: string;
  readonly created_at: string;
}
interface EntryRow extends NamedRow {
  readonly entity_seq: number;
  readonly fleet_id: string | null;
  readonly attributes: JsonObject | null;
  readonly updated_at: string;
  readonly aliases: readonly string[];
}

/** Names that only texts have follow from these; they come along so that what refers to them finds them. */
export const entityParts = (filter: ExportFilter): Parts<NamedRow> => ({
  select: (after, limit) => sql`select seq, entity_type, canonical_name, created_at from entities e
    where tenant_id = ${filter.tenant_id} and ${concerning(filter)} and seq > ${after} order by seq limit ${limit}`,
  toRecords: (rows, work) => entityRecords(work, filter, rows),
});

/** Holds for the entities that a fleet has entered or relates; for all without one. */
function concerning({ fleet_id }: ExportFilter) {
  if (fleet_id === undefined) return sql`true`;
  return sql`(
    exists (select 1 from entity_entries h
      where h.tenant_id = e.tenant_id and h.entity_seq = e.seq and h.fleet_id = ${fleet_id})
    or exists (select 1 from relations r
      where r.tenant_id = e.tenant_id and r.from_seq = e.seq and r.fleet_id = ${fleet_id})
    or exists (select 1 from relations r
      where r.tenant_id = e.tenant_id and r.to_seq = e.seq and r.fleet_id = ${fleet_id}))`;
}

async function entityRecords(
  work: Work,
  { tenant_id, fleet_id }: ExportFilter,
  rows: readonly Numbered<NamedRow>[],
): Promise<TransferRecord[]> {
  const ofFleet = fleet_id === undefined ? sql`true` : sql`(h.fleet_id = ${fleet_id} or h.fleet_id is null)`;
  const found = await work.rows<EntryRow>(sql`
    select h.entity_seq, h.fleet_id, h.entity_type, h.canonical_name, h.attributes, h.created_at, h.updated_at,
      coalesce((select json_agg(a.name order by a.alias_key) from entity_aliases a
        where a.tenant_id = h.tenant_id and a.entity_seq = h.entity_seq and a.memory_seq = -h.seq), '[]') as aliases
    from entity_entries h where h.tenant_id = ${tenant_id} and ${ofFleet}
      and h.entity_seq = any(${intArray(rows.map(({ seq }) => seq))}) order by h.seq`);
  const entries = Map.groupBy(found, ({ entity_seq }) => entity_seq);
  return rows.map(({ seq, ...entity }) => ({
    record: "entity",
    ...entity,
    entries: (entries.get(seq) ?? []).map(({ entity_seq: _, aliases, ...entry }) => ({
      ...entry,
      aliases: [...aliases],
    })),
  }));
}
