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
