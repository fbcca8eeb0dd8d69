import { sql } from "drizzle-orm";
import { contentHash } from "../../core/kernel/hash.ts";
import type { Taking } from "../../core/ports/projects/project-store.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";

/** Has what else lies in a fleet than memories that are not deleted belong to another one. */
export function* take(work: TenantWork, taking: Taking, limit: number): Unit<number> {
  const deleted = yield* takeDeleted(work, taking, limit);
  const documents = deleted < limit ? yield* takeDocuments(work, taking, limit - deleted) : 0;
  const taken = deleted + documents;
  return taken < limit ? taken + (yield* takeEntered(work, taking)) : taken;
}

/** No index holds deleted memories: they come back into them when they are restored. */
function* takeDeleted({ dialect }: TenantWork, { tenant_id, from, into }: Taking, limit: number): Unit<number> {
  const found = yield* rows<{ id: string; content: string }>(sql`select id, content from memories
    where tenant_id = ${tenant_id} and fleet_id = ${from} and deleted_at is not null limit ${limit}`);
  for (const { id, content } of found)
    yield* run(sql`update memories set fleet_id = ${into}, content_hash = ${contentHash(tenant_id, into, content)}
      where ${dialect.belongs("memories", tenant_id)} and id = ${id}`);
  return found.length;
}

function* takeDocuments({ dialect }: TenantWork, { tenant_id, from, into, except }: Taking, limit: number) {
  const found = yield* rows<{ id: string }>(sql`select id from documents
    where tenant_id = ${tenant_id} and fleet_id = ${from} and not ${dialect.isIn(sql`collection`, except)} limit ${limit}`);
  const ids = found.map(({ id }) => id);
  if (ids.length > 0)
    yield* run(sql`update documents set fleet_id = ${into}
      where tenant_id = ${tenant_id} and ${dialect.isIn(sql`id`, ids)}`);
  return ids.length;
}

/** What was entered about an entity, and how two are related, unless the other fleet says it already. */
function* takeEntered({ dialect }: TenantWork, { tenant_id, from, into }: Taking): Unit<number> {
  const there = (table: string, same: readonly string[]) =>
    sql`not exists (select 1 from ${sql.raw(table)} other where other.fleet_id = ${into} and ${sql.join(
      same.map((column) => sql.raw(`other.${column} = ${table}.${column}`)),
      sql.raw(" and "),
    )})`;
  const entries = yield* run(sql`update entity_entries set fleet_id = ${into}
    where ${dialect.tenant("entity_entries", tenant_id)} and fleet_id = ${from}
      and exists (select 1 from entities where entities.tenant_id = ${tenant_id} and entities.seq = entity_entries.entity_seq)
      and ${there("entity_entries", dialect.tellsTenants ? ["tenant_id", "entity_seq"] : ["entity_seq"])}`);
  const relations = yield* run(sql`update relations set fleet_id = ${into}
    where relations.tenant_id = ${tenant_id} and fleet_id = ${from}
      and ${there("relations", ["tenant_id", "from_seq", "to_seq", "relation_type"])}`);
  return entries + relations;
}
