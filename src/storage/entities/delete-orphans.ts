import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { SqlDialect } from "../units/dialect.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { Runner, TenantWork } from "../units/work.ts";
import { OF_ENTITY } from "./seen-by.ts";

/** Numbers of entities, of all tenants together, that are looked at in one step. */
const ENTITIES_PER_STEP = 1_000;

/** Holds for an entity `e` that no row, relation or hand holds any more; those that a caller linked a deleted row to wait for its return. */
function isUnheard({ tenant, belongs }: SqlDialect): SQL {
  const isHeld = (table: string) =>
    sql`select 1 from ${sql.raw(table)} o where ${tenant("o", OF_ENTITY)} and o.entity_seq = e.seq`;
  return sql`not exists (${isHeld("entity_entries")}) and not exists (${isHeld("memory_entities")})
    and not exists (select 1 from relations o where o.tenant_id = e.tenant_id and o.from_seq = e.seq)
    and not exists (select 1 from relations o where ${belongs("o", OF_ENTITY)} and o.to_seq = e.seq)
    and not exists (select 1 from waiting_links o where ${tenant("o", OF_ENTITY)} and o.entity_id = e.id)`;
}

/** Erases an entity that is named nowhere any more, inside the caller's transaction; false when something names it yet. */
export function* forgetIfUnheard(work: TenantWork, entity_seq: number): Unit<boolean> {
  return (yield* forgetUnheard(work, [entity_seq])) > 0;
}

/** Erases those of some entities that are named nowhere any more, inside the caller's transaction; returns how many. */
function* forgetUnheard({ dialect, tenant_id }: TenantWork, entity_seqs: readonly number[]): Unit<number> {
  const unheard = yield* rows<{ seq: number }>(sql`select e.seq from entities e
    where ${dialect.belongs("e", tenant_id)} and ${dialect.isIn(sql`e.seq`, entity_seqs)} and ${isUnheard(dialect)}`);
  if (unheard.length === 0) return 0;
  const seqs = unheard.map(({ seq }) => seq);
  yield* run(
    sql`delete from entity_aliases where ${dialect.belongs("entity_aliases", tenant_id)} and ${dialect.isIn(sql`entity_seq`, seqs)}`,
  );
  yield* run(sql`delete from entity_audiences as a
    where ${dialect.tenant("a", tenant_id)} and ${dialect.isIn(sql`a.entity_seq`, seqs)}`);
  return yield* run(
    sql`delete from entities where ${dialect.belongs("entities", tenant_id)} and ${dialect.isIn(sql`seq`, seqs)}`,
  );
}

/** Erases the next entities that are named nowhere any more, of all tenants. Returns where to go on; null when all were looked at. */
export async function deleteOrphanedNames(runner: Runner, after: number): Promise<number | null> {
  const { unheard, next } = await runner.look((work) => nextUnheard(work.dialect, after));
  // Looked at again under the lock: a row that came meanwhile may name it.
  for (const { tenant_id, seqs } of unheard) await runner.write(tenant_id, (work) => forgetUnheard(work, seqs));
  return next;
}

function* nextUnheard(dialect: SqlDialect, after: number) {
  const until = after + ENTITIES_PER_STEP;
  const unheard = yield* rows<{ tenant_id: string; seqs: unknown }>(sql`
    select e.tenant_id, ${dialect.listOf(sql`e.seq`)} as seqs from entities e
    where e.seq > ${after} and e.seq <= ${until} and ${isUnheard(dialect)} group by e.tenant_id`);
  const next = yield* row<{ seq: number | null }>(sql`select min(seq) as seq from entities where seq > ${until}`);
  return {
    unheard: unheard.map(({ tenant_id, seqs }) => ({ tenant_id, seqs: jsonIn<number[]>(seqs) })),
    next: typeof next?.seq === "number" ? next.seq - 1 : null,
  };
}
