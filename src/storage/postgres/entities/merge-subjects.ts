import { sql } from "drizzle-orm";
import { intArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { queueAfter } from "../jobs/queue.ts";
import type { Moving } from "./moving.ts";
import { isAmong } from "./seen-by.ts";

/**
 * What callers stated of the entity that goes is stated of the survivor, and compared with what was stated of that one; returns in how
 * many rows.
 */
export async function moveSubjects(
  work: TenantWork,
  { from, into, audiences }: Moving,
  nowMs: number,
): Promise<number> {
  const { tenant_id } = work;
  const stated = await work.rows<{ seq: number; id: string; deleted_at: string | null }>(sql`
    update memories m set subject_entity_id = ${into.id}
    where m.tenant_id = ${tenant_id} and m.subject_entity_id = ${from.id} and ${isAmong("m", audiences)}
    returning m.seq, m.id, m.deleted_at`);
  const live = stated.filter(({ deleted_at }) => deleted_at === null);
  const ofRows = sql`c.tenant_id = ${tenant_id} and c.memory_seq = any(${intArray(live.map(({ seq }) => seq))})`;
  await work.run(sql`update memory_claims c set subject_key = ${into.id} where ${ofRows} and c.subject_key = ${from.id}
    and not exists (select 1 from memory_claims o where o.tenant_id = c.tenant_id and o.fleet_id = c.fleet_id
      and o.subject_key = ${into.id} and o.predicate = c.predicate and o.memory_seq = c.memory_seq)`);
  // To be read again, a row must count as not read.
  await work.run(sql`update memory_checks c set content_hash = null where ${ofRows}`);
  const rows = live.sort((a, b) => a.seq - b.seq).map(({ id }) => ({ tenant_id, id }));
  await queueAfter(work, { kind: "memories_stale", rows, now_ms: nowMs });
  return stated.length;
}
