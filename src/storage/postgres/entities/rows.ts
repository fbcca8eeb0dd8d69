import { sql } from "drizzle-orm";
import type { EnteredEntity, EntityRow, NewEntity } from "../../common/entity-rows.ts";
import { entityId, onlyEntered } from "../../common/entity-rows.ts";
import type { TenantWork } from "../engine/work.ts";

/** The entity of the tenant whose name has this key. */
export const entityByKey = (work: TenantWork, key: string): Promise<EntityRow | null> =>
  work.row<EntityRow>(sql`select * from entities where tenant_id = ${work.tenant_id} and name_key = ${key}`);

/**
 * The one entity for which another name was entered, as a fleet is told it: its own word comes before that of all. Null where
 * there is none, or several.
 */
export async function enteredFor(work: TenantWork, key: string, fleet_id: string | null): Promise<EntityRow | null> {
  const found = await work.rows<EnteredEntity>(sql`select distinct e.*, h.fleet_id from entity_aliases a
    join entity_entries h on h.tenant_id = a.tenant_id and h.seq = -a.memory_seq
      and (h.fleet_id is null or h.fleet_id = ${fleet_id}::text)
    join entities e on e.tenant_id = a.tenant_id and e.seq = a.entity_seq
    where a.tenant_id = ${work.tenant_id} and a.alias_key = ${key}`);
  return onlyEntered(found);
}

/** Stores a new entity, inside the caller's transaction. */
export async function insertEntity(work: TenantWork, entity: NewEntity): Promise<EntityRow> {
  const { tenant_id, entity_type, canonical_name, name_key, created_at } = entity;
  const row = await work.row<EntityRow>(sql`
    insert into entities (tenant_id, id, entity_type, canonical_name, name_key, created_at)
    values (${tenant_id}, ${entityId(entity)}, ${entity_type}, ${canonical_name}, ${name_key}, ${created_at})
    returning *`);
  if (!row) throw new Error("The database returned no row for a new entity.");
  return row;
}
