import { nameId } from "../../../core/kernel/ids.ts";
import type { EntityType } from "../../../core/schema/entity.ts";
import type { Connections } from "../engine/connection.ts";

/** An entity: what rows and entries of one name have in common. Whoever came first gave it its spelling and type. */
export interface EntityRow {
  readonly seq: number;
  readonly id: string;
  readonly tenant_id: string;
  readonly entity_type: EntityType;
  readonly canonical_name: string;
  readonly name_key: string;
  readonly created_at: string;
}

/** The entity whose name has this key. */
export const entityByKey = (db: Connections, tenant_id: string, key: string): EntityRow | null =>
  db.writeConnection
    .query<EntityRow, [string, string]>("select * from entities where tenant_id = ? and name_key = ?")
    .get(tenant_id, key);

/** A name as it is entered by hand: for one fleet, or for all. */
export interface EnteredName {
  readonly tenant_id: string;
  readonly key: string;
  readonly fleet_id: string | null;
}

/**
 * The one entity for which another name was entered, as a fleet is told it: its own word comes before that of all. Null where
 * there is none, or several.
 */
export function enteredFor(db: Connections, { tenant_id, key, fleet_id }: EnteredName): EntityRow | null {
  const found = db.writeConnection
    .query<EntityRow & { fleet_id: string | null }, [string, string, string | null]>(
      `select distinct e.*, h.fleet_id from entity_aliases a
      cross join entity_entries h on h.seq = -a.memory_seq and (h.fleet_id is null or h.fleet_id = ?3)
      cross join entities e on e.seq = a.entity_seq
      where a.tenant_id = ?1 and a.alias_key = ?2`,
    )
    .all(tenant_id, key, fleet_id);
  const own = found.filter((one) => one.fleet_id !== null);
  const [only, ...others] = own.length > 0 ? own : found;
  if (!only || others.length > 0) return null;
  const { fleet_id: _fleet, ...entity } = only;
  return entity;
}

export type NewEntity = Omit<EntityRow, "seq" | "id">;

/** Made of the name: an id that told when, or in what order, a name first came up would speak of rows that its reader does not see. */
const entityId = ({ tenant_id, name_key }: NewEntity): string => nameId(["entity", tenant_id, name_key]);

/** Stores a new entity, inside the caller's transaction. */
export function insertEntity(db: Connections, entity: NewEntity): EntityRow {
  const id = entityId(entity);
  const { tenant_id, entity_type, canonical_name, name_key, created_at } = entity;
  const { lastInsertRowid } = db.writeConnection
    .query(
      `insert into entities (id, tenant_id, entity_type, canonical_name, name_key, created_at)
      values (?, ?, ?, ?, ?, ?)`,
    )
    .run(id, tenant_id, entity_type, canonical_name, name_key, created_at);
  return { seq: Number(lastInsertRowid), id, ...entity };
}
