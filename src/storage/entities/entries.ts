import { sql } from "drizzle-orm";
import type { JsonObject } from "../../core/kernel/json.ts";
import { mergeTop } from "../../core/kernel/json.ts";
import type { KeyedName } from "../../core/ports/entities/changes.ts";
import type { EntityRow } from "../../core/ports/entities/naming.ts";
import type { EntityChange } from "../../core/ports/entity-store.ts";
import type { EntityType } from "../../core/schema/entity.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";

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
export function* entriesOf({ dialect, tenant_id }: TenantWork, entity_seq: number): Unit<EntryRow[]> {
  const found = yield* rows<EntryRow>(sql`
    select h.seq, h.fleet_id, h.entity_type, h.canonical_name, h.attributes, h.created_at, h.updated_at
    from entity_entries h where ${dialect.tenant("h", tenant_id)} and h.entity_seq = ${entity_seq} order by h.seq`);
  return found.map((entry) => ({ ...entry, attributes: jsonIn(entry.attributes) }));
}

/** Stores a new entry of an entity, inside the caller's transaction. */
export function* insertEntry(
  { dialect, tenant_id }: TenantWork,
  entity_seq: number,
  { change, now }: { readonly change: EntityChange; readonly now: string },
): Unit<EntryRow> {
  const { fleet_id, entity_type, canonical_name, attributes } = change;
  const stored = yield* row<{ seq: number }>(sql`
    insert into entity_entries (${dialect.tenantColumn}entity_seq, fleet_id, entity_type, canonical_name, attributes,
      created_at, updated_at)
    values (${dialect.tenantValue(tenant_id)}${entity_seq}, ${fleet_id}, ${entity_type}, ${canonical_name},
      ${dialect.json(attributes)}, ${now}, ${now})
    returning seq`);
  if (!stored) throw new Error("The database returned no row for a new entry.");
  return { seq: stored.seq, fleet_id, entity_type, canonical_name, attributes, created_at: now, updated_at: now };
}

/** Changes an entry, its attributes merged by top-level key, inside the caller's transaction. */
export function* changeEntry(
  { dialect, tenant_id }: TenantWork,
  current: EntryRow,
  { change, now }: { readonly change: EntityChange; readonly now: string },
): Unit<EntryRow> {
  const { attributes } = current;
  const merged = change.attributes ? mergeTop(attributes, change.attributes) : attributes;
  if (change.attributes) change.requireFit?.(merged);
  const changed: EntryRow = {
    ...current,
    fleet_id: change.fleet_id ?? current.fleet_id,
    entity_type: change.entity_type,
    canonical_name: change.canonical_name,
    attributes: merged,
    updated_at: now,
  };
  yield* run(sql`update entity_entries as h set fleet_id = ${changed.fleet_id}, entity_type = ${changed.entity_type},
      canonical_name = ${changed.canonical_name}, attributes = ${dialect.json(merged)}, updated_at = ${now}
    where ${dialect.tenant("h", tenant_id)} and h.seq = ${changed.seq}`);
  return changed;
}

/** Stands for the readers of another name that was entered by hand; who they are, its entry tells. */
const NO_AUDIENCE = 0;

/** Enters other names of an entity with one of its entries, inside the caller's transaction. */
export function* teachByHand(
  { dialect, tenant_id }: TenantWork,
  { entity, entry }: { readonly entity: Pick<EntityRow, "seq">; readonly entry: Pick<EntryRow, "seq"> },
  names: readonly KeyedName[],
): Unit<void> {
  if (names.length === 0) return;
  // Of one name that is given twice, the spelling that comes last.
  const last = [...new Map(names.map(({ key, name }) => [key, { key, name }])).values()];
  yield* run(sql`
    insert into entity_aliases (tenant_id, alias_key, entity_seq, memory_seq, audience, name)
    select cast(${tenant_id} as text), n.key, cast(${entity.seq} as bigint), cast(${-entry.seq} as bigint), ${sql.raw(String(NO_AUDIENCE))}, n.name
    from ${dialect.records(last, "n", { key: "text", name: "text" })} where true
    on conflict (tenant_id, alias_key, entity_seq, memory_seq) do update set name = excluded.name`);
}
