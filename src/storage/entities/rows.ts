import { sql } from "drizzle-orm";
import type { EntityRow } from "../../core/ports/entities/naming.ts";
import type { EnteredEntity, NewEntity } from "../common/entity-rows.ts";
import { entityId, onlyEntered } from "../common/entity-rows.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";

/** The entity of the tenant whose name has this key. */
export const entityByKey = ({ tenant_id }: TenantWork, key: string): Unit<EntityRow | null> =>
  row<EntityRow>(sql`select * from entities where tenant_id = ${tenant_id} and name_key = ${key}`);

/**
 * The one entity for which another name was entered, as a fleet is told it: its own word comes before that of all. Null where
 * there is none, or several.
 */
export function* enteredFor(
  { tenant_id, dialect }: TenantWork,
  key: string,
  fleet_id: string | null,
): Unit<EntityRow | null> {
  const found = yield* rows<EnteredEntity>(sql`select distinct e.*, h.fleet_id from entity_aliases a
    ${dialect.nested} entity_entries h on ${dialect.tenant("h", tenant_id)} and h.seq = -a.memory_seq
      and (h.fleet_id is null or h.fleet_id = cast(${fleet_id} as text))
    ${dialect.nested} entities e on e.tenant_id = a.tenant_id and e.seq = a.entity_seq
    where a.tenant_id = ${tenant_id} and a.alias_key = ${key}`);
  return onlyEntered(found);
}

/** Stores a new entity, inside the caller's transaction. */
export function* insertEntity(entity: NewEntity): Unit<EntityRow> {
  const { tenant_id, entity_type, canonical_name, name_key, created_at } = entity;
  const stored = yield* row<EntityRow>(sql`
    insert into entities (tenant_id, id, entity_type, canonical_name, name_key, created_at)
    values (${tenant_id}, ${entityId(entity)}, ${entity_type}, ${canonical_name}, ${name_key}, ${created_at})
    returning *`);
  if (!stored) throw new Error("The database returned no row for a new entity.");
  return stored;
}
