import { sql } from "drizzle-orm";
import type { JsonObject } from "../../../core/kernel/json.ts";
import { mergeTop } from "../../../core/kernel/json.ts";
import type { KeyedName } from "../../../core/ports/entities/changes.ts";
import type { EntityChange } from "../../../core/ports/entity-store.ts";
import type { EntityType } from "../../../core/schema/entity.ts";
import type { EntityRow } from "../../common/entity-rows.ts";
import { jsonValue, recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

/** What was entered by hand of an entity, for one fleet or for all. */
export interface EntryRow {
  readonly seq: number;
  readonly fleet_id: string | null;
  readonly entity_type: EntityType;
  readonly canonical_name: string;
  readonly attributes: JsonObject | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What callers entered for an entity, an entry a fleet. */
export const entriesOf = (work: TenantWork, entity_seq: number): Promise<EntryRow[]> =>
  work.rows<EntryRow>(sql`select seq, fleet_id, entity_type, canonical_name, attributes, created_at, updated_at
    from entity_entries where tenant_id = ${work.tenant_id} and entity_seq = ${entity_seq} order by seq`);

/** Stores a new entry of an entity, inside the caller's transaction. */
export async function insertEntry(
  work: TenantWork,
  entity_seq: number,
  { change, now }: { readonly change: EntityChange; readonly now: string },
): Promise<EntryRow> {
  const { fleet_id, entity_type, canonical_name, attributes } = change;
  const row = await work.row<{ seq: number }>(sql`
    insert into entity_entries (tenant_id, entity_seq, fleet_id, entity_type, canonical_name, attributes, created_at,
      updated_at)
    values (${work.tenant_id}, ${entity_seq}, ${fleet_id}, ${entity_type}, ${canonical_name}, ${jsonValue(attributes)},
      ${now}, ${now})
    returning seq`);
  if (!row) throw new Error("The database returned no row for a new entry.");
  return { seq: row.seq, fleet_id, entity_type, canonical_name, attributes, created_at: now, updated_at: now };
}

/** Changes an entry, its attributes merged by top-level key, inside the caller's transaction. */
export async function changeEntry(
  work: TenantWork,
  current: EntryRow,
  { change, now }: { readonly change: EntityChange; readonly now: string },
): Promise<EntryRow> {
  const { attributes } = current;
  const merged = change.attributes ? mergeTop(attributes, change.attributes) : attributes;
  if (change.attributes) change.requireFit?.(merged);
  const row: EntryRow = {
    ...current,
    fleet_id: change.fleet_id ?? current.fleet_id,
    entity_type: change.entity_type,
    canonical_name: change.canonical_name,
    attributes: merged,
    updated_at: now,
  };
  await work.run(sql`update entity_entries set fleet_id = ${row.fleet_id}, entity_type = ${row.entity_type},
      canonical_name = ${row.canonical_name}, attributes = ${jsonValue(row.attributes)}, updated_at = ${row.updated_at}
    where tenant_id = ${work.tenant_id} and seq = ${row.seq}`);
  return row;
}

/** Stands for the readers of another name that was entered by hand; who they are, its entry tells. */
const NO_AUDIENCE = 0;

/** Enters other names of an entity with one of its entries, inside the caller's transaction. */
export async function teachByHand(
  work: TenantWork,
  taught: { readonly entity: Pick<EntityRow, "seq">; readonly entry: Pick<EntryRow, "seq"> },
  names: readonly KeyedName[],
): Promise<void> {
  if (names.length === 0) return;
  // Of one name that is given twice, the spelling that comes last.
  const last = [...new Map(names.map(({ key, name }) => [key, { key, name }])).values()];
  await work.run(sql`
    insert into entity_aliases (tenant_id, alias_key, entity_seq, memory_seq, audience, name)
    select ${work.tenant_id}, n.key, ${taught.entity.seq}, ${-taught.entry.seq}, ${NO_AUDIENCE}, n.name
    from json_to_recordset(${recordsValue(last)}) as n (key text, name text)
    on conflict (tenant_id, alias_key, entity_seq, memory_seq) do update set name = excluded.name`);
}
