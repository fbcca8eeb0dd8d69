import { nameId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { StoredEntity } from "../../ports/entity-store.ts";
import type { EntityType } from "../../schema/entity.ts";
import type { Connections } from "./connection.ts";

/** An entity as SQLite hands it over. */
export interface EntityRow {
  readonly seq: number;
  readonly id: string;
  readonly tenant_id: string;
  readonly fleet_id: string | null;
  readonly entity_type: EntityType;
  readonly canonical_name: string;
  readonly name_key: string;
  readonly attributes: string | null;
  readonly by_hand: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export const toEntity = ({ seq: _seq, name_key: _key, by_hand: _hand, ...row }: EntityRow): StoredEntity => ({
  ...row,
  // Safe: the text was written from a JSON object.
  attributes: row.attributes === null ? null : (JSON.parse(row.attributes) as JsonObject),
});

/** The entity whose name has this key. */
export const entityByKey = (at: Connections, tenant_id: string, key: string): EntityRow | null =>
  at.writer
    .query<EntityRow, [string, string]>("select * from entities where tenant_id = ? and name_key = ?")
    .get(tenant_id, key);

export interface NewEntity {
  readonly tenant_id: string;
  readonly fleet_id: string | null;
  readonly entity_type: EntityType;
  readonly canonical_name: string;
  readonly name_key: string;
  readonly attributes: JsonObject | null;
  readonly by_hand: boolean;
  readonly now: string;
}

/** Made of the name: an id that told when, or in what order, a name first came up would speak of rows that its reader does not see. */
const entityId = ({ tenant_id, name_key }: NewEntity): string => nameId(["entity", tenant_id, name_key]);

/** Stores a new entity, inside the caller's transaction. */
export function insertEntity(at: Connections, entity: NewEntity): EntityRow {
  const row = {
    id: entityId(entity),
    tenant_id: entity.tenant_id,
    fleet_id: entity.fleet_id,
    entity_type: entity.entity_type,
    canonical_name: entity.canonical_name,
    name_key: entity.name_key,
    attributes: entity.attributes && JSON.stringify(entity.attributes),
    by_hand: Number(entity.by_hand),
    created_at: entity.now,
    updated_at: entity.now,
  };
  const { lastInsertRowid } = at.writer
    .query(
      `insert into entities (${Object.keys(row).join(", ")}) values (${Object.keys(row)
        .map(() => "?")
        .join(", ")})`,
    )
    .run(...Object.values(row));
  return { seq: Number(lastInsertRowid), ...row };
}
