import { sql } from "drizzle-orm";
import { nameId } from "../../../core/kernel/ids.ts";
import type { EntityType } from "../../../core/schema/entity.ts";
import type { TenantWork } from "../engine/work.ts";

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

/** The entity of the tenant whose name has this key. */
export const entityByKey = (work: TenantWork, key: string): Promise<EntityRow | null> =>
  work.row<EntityRow>(sql`select * from entities where tenant_id = ${work.tenant_id} and name_key = ${key}`);

/** An entity for which another name was entered by hand: for one fleet, or for all. */
export interface EnteredName extends EntityRow {
  readonly fleet_id: string | null;
}

/**
 * The one entity for which another name was entered, as a fleet is told it: its own word comes before that of all. Null where
 * there is none, or several.
 */
export async function enteredFor(work: TenantWork, key: string, fleet_id: string | null): Promise<EntityRow | null> {
  const found = await work.rows<EnteredName>(sql`select distinct e.*, h.fleet_id from entity_aliases a
    join entity_entries h on h.tenant_id = a.tenant_id and h.seq = -a.memory_seq
      and (h.fleet_id is null or h.fleet_id = ${fleet_id}::text)
    join entities e on e.tenant_id = a.tenant_id and e.seq = a.entity_seq
    where a.tenant_id = ${work.tenant_id} and a.alias_key = ${key}`);
  return onlyEntered(found);
}

/** The one entity that a name means of those that it was entered for; null where there is none, or several. */
export function onlyEntered(found: readonly EnteredName[]): EntityRow | null {
  const own = found.filter((one) => one.fleet_id !== null);
  const [only, ...others] = own.length > 0 ? own : found;
  if (!only || others.length > 0) return null;
  const { fleet_id: _fleet, ...entity } = only;
  return entity;
}

export type NewEntity = Omit<EntityRow, "seq" | "id">;

/** Made of the name: an id that told when, or in what order, a name first came up would speak of rows that its reader does not see. */
export const entityId = ({ tenant_id, name_key }: Pick<NewEntity, "tenant_id" | "name_key">): string =>
  nameId(["entity", tenant_id, name_key]);

/** Stores a new entity, inside the caller's transaction. */
export async function insertEntity(work: TenantWork, entity: NewEntity): Promise<EntityRow> {
  const id = entityId(entity);
  const { tenant_id, entity_type, canonical_name, name_key, created_at } = entity;
  const row = await work.row<EntityRow>(sql`
    insert into entities (tenant_id, id, entity_type, canonical_name, name_key, created_at)
    values (${tenant_id}, ${id}, ${entity_type}, ${canonical_name}, ${name_key}, ${created_at}) returning *`);
  if (!row) throw new Error("The database returned no row for a new entity.");
  return row;
}
