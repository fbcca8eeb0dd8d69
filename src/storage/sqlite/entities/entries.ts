import type { JsonObject } from "../../../core/kernel/json.ts";
import { mergeTop } from "../../../core/kernel/json.ts";
import type { KeyedName } from "../../../core/ports/entities/changes.ts";
import type { Entering, EntityChange, Guard, StoredEntity } from "../../../core/ports/entity-store.ts";
import type { EntityType } from "../../../core/schema/entity.ts";
import type { Connections } from "../engine/connection.ts";
import type { EntityRow } from "./rows.ts";

/** What was entered by hand of an entity, for one fleet or for all. */
export interface EntryRow {
  readonly seq: number;
  readonly fleet_id: string | null;
  readonly entity_type: EntityType;
  readonly canonical_name: string;
  readonly attributes: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The attributes of an entity that callers entered. */
export const attributesOf = ({ attributes }: Pick<EntryRow, "attributes">): StoredEntity["attributes"] =>
  // Safe: the text was written from a JSON object.
  attributes === null ? null : (JSON.parse(attributes) as JsonObject);

/** Something that was entered, of which there is one for each fleet and one for all. */
interface Entered {
  readonly fleet_id: string | null;
}

/**
 * Which of what was entered before a write changes: that of the fleet it names, else that of all, which the guard may keep
 * from being taken into the fleet; without a fleet that of the writer's own, else that of all. What other fleets entered is
 * neither changed nor told of.
 */
export function changedBy<T extends Entered>(
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

/** What callers entered for an entity, an entry a fleet. */
export const entriesOf = (db: Connections, entity_seq: number): EntryRow[] =>
  db.writeConnection
    .query<EntryRow, [number]>(
      `select seq, fleet_id, entity_type, canonical_name, attributes, created_at, updated_at from entity_entries
      where entity_seq = ?`,
    )
    .all(entity_seq);

/** Stores a new entry of an entity, inside the caller's transaction. */
export function insertEntry(db: Connections, entity_seq: number, change: EntityChange, now: string): EntryRow {
  const { fleet_id, entity_type, canonical_name } = change;
  const attributes = change.attributes && JSON.stringify(change.attributes);
  const { lastInsertRowid } = db.writeConnection
    .query(
      `insert into entity_entries (entity_seq, fleet_id, entity_type, canonical_name, attributes, created_at, updated_at)
      values (?1, ?2, ?3, ?4, ?5, ?6, ?6)`,
    )
    .run(entity_seq, fleet_id, entity_type, canonical_name, attributes, now);
  const seq = Number(lastInsertRowid);
  return { seq, fleet_id, entity_type, canonical_name, attributes, created_at: now, updated_at: now };
}

/** Changes an entry, its attributes merged by top-level key, inside the caller's transaction. */
export function changeEntry(db: Connections, current: EntryRow, change: EntityChange, now: string): EntryRow {
  const attributes = attributesOf(current);
  const merged = change.attributes ? mergeTop(attributes, change.attributes) : attributes;
  if (change.attributes) change.requireFit?.(merged);
  const row: EntryRow = {
    ...current,
    fleet_id: change.fleet_id ?? current.fleet_id,
    entity_type: change.entity_type,
    canonical_name: change.canonical_name,
    attributes: merged && JSON.stringify(merged),
    updated_at: now,
  };
  db.writeConnection
    .query(
      `update entity_entries set fleet_id = ?, entity_type = ?, canonical_name = ?, attributes = ?, updated_at = ?
      where seq = ?`,
    )
    .run(row.fleet_id, row.entity_type, row.canonical_name, row.attributes, row.updated_at, row.seq);
  return row;
}

/** Stands for the readers of another name that was entered by hand; who they are, its entry tells. */
const NO_AUDIENCE = 0;

/** Enters other names of an entity with one of its entries, inside the caller's transaction. */
export function teachByHand(
  db: Connections,
  { seq, tenant_id }: Pick<EntityRow, "seq" | "tenant_id">,
  entry: Pick<EntryRow, "seq">,
  names: readonly KeyedName[],
): void {
  const teach = db.writeConnection.query(
    `insert into entity_aliases (tenant_id, alias_key, entity_seq, memory_seq, audience, name)
    values (?, ?, ?, ?, ${NO_AUDIENCE}, ?) on conflict do update set name = excluded.name`,
  );
  for (const { key, name } of names) teach.run(tenant_id, key, seq, -entry.seq, name);
}

/** What the audit shows of an entry. */
export const auditedEntry = ({
  entity_type,
  canonical_name,
  fleet_id,
}: Pick<EntryRow, "entity_type" | "canonical_name" | "fleet_id">): JsonObject => ({
  entity_type,
  canonical_name,
  fleet_id,
});
