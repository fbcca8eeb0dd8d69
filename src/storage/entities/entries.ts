import { sql } from "drizzle-orm";
import type { JsonObject } from "../../core/kernel/json.ts";
import { mergeTop } from "../../core/kernel/json.ts";
import type { KeyedName } from "../../core/ports/entities/changes.ts";
import type { EntityRow } from "../../core/ports/entities/naming.ts";
import type { Entering, EntityChange, Guard } from "../../core/ports/entity-store.ts";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
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

/** Something that was entered, of which there is one for each fleet and one for all. */
interface Entered {
  readonly fleet_id: string | null;
}

/**
 * Which of what was entered before a write changes: that of the fleet it names, else that of all, which the guard may keep
 * from being taken into the fleet; without a fleet that of the writer's own, else that of all. What other fleets entered is
 * neither changed nor told of.
 */
export function enteredBefore<T extends Entered>(
  entered: readonly T[],
  { fleet_id, home }: Entering,
  guard: Guard,
): T | null {
  const of = (fleet: string | null) => entered.find((one) => one.fleet_id === fleet) ?? null;
  const own = of(fleet_id ?? home);
  if (own) return own;
  const shared = of(null);
  if (shared && fleet_id !== null) guard();
  return shared;
}

/** What the audit shows of an entry. */
export const auditedEntry = ({
  entity_type,
  canonical_name,
  fleet_id,
}: Entered & { readonly entity_type: EntityType; readonly canonical_name: string }): JsonObject => ({
  entity_type,
  canonical_name,
  fleet_id,
});

/** Whether a reader reads what was entered for any fleet, and the fleets whose entries come first. */
export interface ReadFleets {
  readonly all: boolean;
  readonly own: readonly string[];
}

/** For whom a reader reads what was entered; for a fleet in particular where one is named that it may read. */
export function readFleets({ fleets, home }: ReadScope, named: string | undefined): ReadFleets {
  const all = fleets === "all";
  const own = all ? [home ?? []].flat() : fleets;
  return { all, own: named !== undefined && (all || own.includes(named)) ? [named, ...own] : own };
}
