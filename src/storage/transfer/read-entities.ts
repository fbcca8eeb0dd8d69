import { sql } from "drizzle-orm";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { EntityType } from "../../core/schema/entity.ts";
import type { TransferRecord } from "../../core/schema/keeping/transfer.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import type { Part } from "./parts.ts";
import { isOfFleet } from "./parts.ts";

interface NamedRow {
  readonly seq: number;
  readonly entity_type: EntityType;
  readonly canonical_name: string;
  readonly created_at: string;
}
interface EntryRow extends NamedRow {
  readonly entity_seq: number;
  readonly fleet_id: string | null;
  readonly attributes: unknown;
  readonly updated_at: string;
}

/** Names that only texts have follow from these; they come along so that what refers to them finds them. */
export function* entityRecords({ dialect }: Work, { filter, isWithin }: Part): Unit<TransferRecord[]> {
  const { tenant_id, fleet_id } = filter;
  const concerns = sql`(
    exists (select 1 from entity_entries h
      where ${dialect.tenant("h", sql`t.tenant_id`)} and h.entity_seq = t.seq and ${isOfFleet("h", filter)})
    or exists (select 1 from relations r
      where r.tenant_id = t.tenant_id and r.from_seq = t.seq and ${isOfFleet("r", filter)})
    or exists (select 1 from relations r
      where ${dialect.belongs("r", sql`t.tenant_id`)} and r.to_seq = t.seq and ${isOfFleet("r", filter)}))`;
  const named = yield* rows<NamedRow>(sql`select t.seq, t.entity_type, t.canonical_name, t.created_at
    from entities t where ${isWithin} and ${fleet_id === undefined ? sql`true` : concerns} order by t.seq`);
  if (named.length === 0) return [];
  const seqs = named.map(({ seq }) => seq);
  const entries = yield* rows<EntryRow>(sql`
    select h.seq, h.entity_seq, h.fleet_id, h.entity_type, h.canonical_name, h.attributes, h.created_at, h.updated_at
    from entity_entries h where ${dialect.tenant("h", tenant_id)} and ${dialect.isIn(sql`h.entity_seq`, seqs)}
      and ${fleet_id === undefined ? sql`true` : sql`coalesce(h.fleet_id, ${fleet_id}) = ${fleet_id}`} order by h.seq`);
  // Other names of an entry stand under its number, below nothing.
  const marks = entries.map(({ seq }) => -seq);
  const aliases = yield* rows<{ name: string; memory_seq: number }>(sql`select a.name, a.memory_seq
    from entity_aliases a where ${dialect.belongs("a", tenant_id)} and ${dialect.isIn(sql`a.memory_seq`, marks)}
    order by a.alias_key`);
  const namesOf = Map.groupBy(aliases, ({ memory_seq }) => -memory_seq);
  const entriesOf = Map.groupBy(entries, ({ entity_seq }) => entity_seq);
  return named.map(({ seq, ...entity }) => ({
    record: "entity",
    ...entity,
    entries: (entriesOf.get(seq) ?? []).map(({ seq, entity_seq: _, attributes, ...entry }) => ({
      ...entry,
      attributes: jsonIn<JsonObject | null>(attributes),
      aliases: (namesOf.get(seq) ?? []).map(({ name }) => name),
    })),
  }));
}
