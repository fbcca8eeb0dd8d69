import type { EnteredEntity, EntityRow, NewEntity } from "../../common/entity-rows.ts";
import { entityId, onlyEntered } from "../../common/entity-rows.ts";
import type { Connections } from "../engine/connection.ts";

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
    .query<EnteredEntity, [string, string, string | null]>(
      `select distinct e.*, h.fleet_id from entity_aliases a
      cross join entity_entries h on h.seq = -a.memory_seq and (h.fleet_id is null or h.fleet_id = ?3)
      cross join entities e on e.seq = a.entity_seq
      where a.tenant_id = ?1 and a.alias_key = ?2`,
    )
    .all(tenant_id, key, fleet_id);
  return onlyEntered(found);
}

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
