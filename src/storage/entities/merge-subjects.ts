import { sql } from "drizzle-orm";
import { queueAfter } from "../jobs/queue.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import type { Moving } from "./moving.ts";
import { isAmong } from "./seen-by.ts";

/**
 * What callers stated of the entity that goes is stated of the survivor, and compared with what was stated of that one; returns in how
 * many rows.
 */
export function* moveSubjects(work: ChangeWork, { from, into, audiences }: Moving, nowMs: number): Unit<number> {
  const { dialect, tenant_id } = work;
  const stated = yield* rows<{ seq: number; id: string; deleted_at: string | null }>(sql`
    update memories as m set subject_entity_id = ${into.id}
    where m.tenant_id = ${tenant_id} and m.subject_entity_id = ${from.id} and ${isAmong("m", { dialect, audiences })}
    returning seq, id, deleted_at`);
  const live = stated.filter(({ deleted_at }) => deleted_at === null).sort((a, b) => a.seq - b.seq);
  const ofRows = dialect.isIn(
    sql`c.memory_seq`,
    live.map(({ seq }) => seq),
  );
  yield* run(sql`update memory_claims as c set subject_key = ${into.id}
    where c.tenant_id = ${tenant_id} and ${ofRows} and c.subject_key = ${from.id}
      and not exists (select 1 from memory_claims o where o.tenant_id = c.tenant_id and o.fleet_id = c.fleet_id
        and o.subject_key = ${into.id} and o.predicate = c.predicate and o.memory_seq = c.memory_seq)`);
  // To be read again, a row must count as not read.
  yield* run(
    sql`update memory_checks as c set content_hash = null where ${dialect.tenant("c", tenant_id)} and ${ofRows}`,
  );
  yield* queueAfter(work, { kind: "memories_stale", rows: live.map(({ id }) => ({ tenant_id, id })), now_ms: nowMs });
  return stated.length;
}
