import type { JsonObject } from "../../../core/kernel/json.ts";
import { mergeTop } from "../../../core/kernel/json.ts";
import type { KeyedName } from "../../../core/ports/entities/changes.ts";
import type { EntityChange, StoredEntity } from "../../../core/ports/entity-store.ts";
import type { EntityType } from "../../../core/schema/entity.ts";
import type { EntityRow } from "../../common/entity-rows.ts";
import type { Connections } from "../engine/connection.ts";

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
