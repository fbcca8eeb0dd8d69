import { sql } from "drizzle-orm";
import { nameId } from "../../core/kernel/ids.ts";
import type { EntityRow } from "../../core/ports/entities/naming.ts";
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

type NewEntity = Omit<EntityRow, "seq" | "id">;

/** Made of the name: an id that told when, or in what order, a name first came up would speak of rows that its reader does not see. */
export const entityId = ({ tenant_id, name_key }: Pick<NewEntity, "tenant_id" | "name_key">): string =>
  nameId(["entity", tenant_id, name_key]);

/** An entity for which another name was entered by hand: for one fleet, or for all. */
export interface EnteredEntity extends EntityRow {
  readonly fleet_id: string | null;
}

/**
 * The one entity of those for which a fleet and all entered the same other name: the fleet's own word comes before that of
 * all. Null where there is none, or several.
 */
export function onlyEntered(found: readonly EnteredEntity[]): EntityRow | null {
  const own = found.filter((one) => one.fleet_id !== null);
  const [only, ...others] = own.length > 0 ? own : found;
  if (!only || others.length > 0) return null;
  const { fleet_id: _fleet, ...entity } = only;
  return entity;
}
