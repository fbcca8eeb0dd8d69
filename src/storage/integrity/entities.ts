import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { SqlDialect } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";
import type { Slice } from "./slices.ts";
import { within } from "./slices.ts";

/** The entities of the tenant that the links of a row `m` name, looked up by their ids: never all of the tenant's. */
const linked = ({ elements, nested, belongs }: SqlDialect): SQL => sql`${elements(sql`m.entity_links`, "l")}
  ${nested} entities e on ${belongs("e", sql`m.tenant_id`)} and e.id = l.value ->> 'entity_id'`;

/** Holds for a row `m` that is not filed as its links have it: a caller's link to what its readers must not know is not filed. */
export function isMisfiled(dialect: SqlDialect): SQL {
  const filed = sql`from memory_entities f where ${dialect.tenant("f", sql`m.tenant_id`)} and f.memory_seq = m.seq`;
  return sql`(
    exists (select 1 from ${linked(dialect)} where cast(l.value ->> 'inferred' as text) in ('true', '1')
      and not exists (select 1 ${filed} and f.entity_seq = e.seq))
    or exists (select 1 ${filed} and (f.audience <> m.audience
      or not exists (select 1 from ${linked(dialect)} where e.seq = f.entity_seq))))`;
}

/** What tells a count of links from others, of rows `table`. */
const keyOf = (table: string, { tellsTenants }: SqlDialect): SQL =>
  sql.raw(
    [...(tellsTenants ? ["tenant_id"] : []), "entity_seq", "audience"].map((one) => `${table}.${one}`).join(", "),
  );

/** How often each of some entities is linked by rows of the same readers, as the links `l` themselves have it. */
const counted = (dialect: SqlDialect, some: SQL): SQL => sql`
  select ${keyOf("l", dialect)}, count(*) as links, count(*) filter (where l.direct) as direct, min(m.created_at) as since
  from memory_entities l join memories m on ${dialect.tenant("m", sql`l.tenant_id`)} and m.seq = l.memory_seq
  where ${some} group by ${keyOf("l", dialect)}`;

/** Counts of a slice of the entities that are wrong, or of links that there are not. */
export const miscounted = (dialect: SqlDialect, ofTenant: (table: string) => SQL, slice: Slice | null): SQL => sql`
  select count(*) as n from (
    select 1 as wrong from (
      ${counted(dialect, sql`${within("l.entity_seq", slice)} and ${ofTenant("l")}`)} union all
      select ${keyOf("a", dialect)}, a.links, a.direct, a.since from entity_audiences a
      where ${within("a.entity_seq", slice)} and ${ofTenant("a")}
    ) c group by ${keyOf("c", dialect)}
    having count(*) <> 2 or min(c.links) <> max(c.links) or min(c.direct) <> max(c.direct)) counted`;

/** Counts the links of some entities again, inside the caller's transaction. */
export function* recountEntities({ dialect, tenant_id }: TenantWork, seqs: readonly number[]): Unit<void> {
  const some = (table: string) =>
    sql`${dialect.tenant(table, tenant_id)} and ${dialect.isIn(sql.raw(`${table}.entity_seq`), seqs)}`;
  yield* run(sql`delete from entity_audiences where ${some("entity_audiences")}`);
  yield* run(sql`insert into entity_audiences (${dialect.tenantColumn}entity_seq, audience, links, direct, since)
    ${counted(dialect, some("l"))}`);
}

/** Those of some rows that are not filed as their links have it. */
export function* misfiledAmong({ dialect, tenant_id }: TenantWork, seqs: readonly number[]): Unit<Set<number>> {
  const found = yield* rows<{ seq: number }>(sql`select m.seq from memories m
    where ${dialect.belongs("m", tenant_id)} and ${dialect.isIn(sql`m.seq`, seqs)} and ${isMisfiled(dialect)}`);
  return new Set(found.map(({ seq }) => seq));
}
