import { sql } from "drizzle-orm";
import { intArray } from "../engine/values.ts";
import type { Engine, TenantWork } from "../engine/work.ts";

/** Numbers of entities, of all tenants together, that are looked at in one step. */
const ENTITIES_PER_STEP = 1_000;

/** Names that no row, relation or hand holds any more; those that a caller linked a deleted row to wait for its return. */
const IS_UNHEARD = sql`
  not exists (select 1 from entity_entries o where o.tenant_id = e.tenant_id and o.entity_seq = e.seq)
  and not exists (select 1 from memory_entities o where o.tenant_id = e.tenant_id and o.entity_seq = e.seq)
  and not exists (select 1 from relations o where o.tenant_id = e.tenant_id and o.from_seq = e.seq)
  and not exists (select 1 from relations o where o.tenant_id = e.tenant_id and o.to_seq = e.seq)
  and not exists (select 1 from waiting_links o where o.tenant_id = e.tenant_id and o.entity_id = e.id)`;

/** Erases an entity that is named nowhere any more, inside the caller's transaction; false when something names it yet. */
export const forgetIfUnheard = async (work: TenantWork, entity_seq: number): Promise<boolean> =>
  (await forgetUnheard(work, [entity_seq])) > 0;

/** Erases those of some entities that are named nowhere any more, inside the caller's transaction; returns how many. */
async function forgetUnheard(work: TenantWork, entity_seqs: readonly number[]): Promise<number> {
  const { tenant_id } = work;
  const unheard = await work.rows<{ seq: number }>(sql`select e.seq from entities e
    where e.tenant_id = ${tenant_id} and e.seq = any(${intArray(entity_seqs)}) and ${IS_UNHEARD}`);
  if (unheard.length === 0) return 0;
  const seqs = intArray(unheard.map(({ seq }) => seq));
  await work.run(sql`delete from entity_aliases where tenant_id = ${tenant_id} and entity_seq = any(${seqs})`);
  await work.run(sql`delete from entity_audiences where tenant_id = ${tenant_id} and entity_seq = any(${seqs})`);
  return work.run(sql`delete from entities where tenant_id = ${tenant_id} and seq = any(${seqs})`);
}

/** Erases the next entities that are named nowhere any more, of all tenants. Returns where to go on; null when all were looked at. */
export async function deleteOrphanedNames(engine: Engine, after: number): Promise<number | null> {
  const until = after + ENTITIES_PER_STEP;
  const { unheard, next } = await engine.look(async (work) => ({
    unheard: await work.rows<{ tenant_id: string; seqs: number[] }>(sql`
      select e.tenant_id, json_agg(e.seq) as seqs from entities e
      where e.seq > ${after} and e.seq <= ${until} and ${IS_UNHEARD} group by e.tenant_id`),
    next: await work.row<{ seq: number | null }>(sql`select min(seq) as seq from entities where seq > ${until}`),
  }));
  // Looked at again under the lock: a row that came meanwhile may name it.
  for (const { tenant_id, seqs } of unheard) await engine.write(tenant_id, (work) => forgetUnheard(work, seqs));
  return typeof next?.seq === "number" ? next.seq - 1 : null;
}
