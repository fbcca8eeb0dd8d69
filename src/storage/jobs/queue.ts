import { sql } from "drizzle-orm";
import type { StorageEvent } from "../../core/ports/storage-policies.ts";
import type { Job, RecurringKind } from "../../core/schema/job.ts";
import { RECURRING_KINDS } from "../../core/schema/job.ts";
import type { Columns } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, run } from "../units/unit.ts";
import type { ChangeWork, QueueWork } from "../units/work.ts";
import { rankOf } from "./ranks.ts";

/** Kinds that look at whatever is there when they run: a second one that waits would find nothing to do. */
const ONCE: readonly Job["kind"][] = ["promote_skills", "review_skills", "wipe_traces", "reword_rows"];

const JOB: Columns = { tenant_id: "text", kind: "text", payload: "text", rank: "int" };

/** Adds job rows inside the caller's transaction. */
export function* insertJobs(work: QueueWork, added: readonly Job[], runAfterMs: number): Unit<void> {
  const { dialect } = work;
  const jobs: object[] = [];
  for (const job of added) {
    if (ONCE.includes(job.kind) && (yield* hastened(work, job, runAfterMs))) continue;
    const { kind, payload } = job;
    const tenant_id = "tenant_id" in payload ? payload.tenant_id : null;
    jobs.push({ tenant_id, kind, payload: JSON.stringify(payload), rank: rankOf(kind) });
  }
  if (jobs.length === 0) return;
  const tenant = dialect.tellsTenants ? sql`j.tenant_id, ` : sql``;
  // A recurring job of a kind that has a row adds none.
  yield* run(sql`insert into jobs (${dialect.tenantColumn}kind, payload, run_after, attempt, rank)
    select ${tenant}j.kind, j.payload, cast(${runAfterMs} as bigint), 0, j.rank
    from ${dialect.records(jobs, "j", JOB)} where true on conflict do nothing`);
  yield* work.tellJobs();
}

/** Adds the jobs that follow from what happened to rows, inside the caller's transaction. */
export function* queueAfter(work: Pick<ChangeWork, "policies" | keyof QueueWork>, event: StorageEvent): Unit<void> {
  for (const { job, due_ms } of work.policies.jobsAfter(event)) {
    const recurring = RECURRING_KINDS.find((kind) => kind === job.kind);
    if (recurring) yield* bringForward(work, recurring, due_ms);
    else yield* insertJobs(work, [job], due_ms);
  }
}

/** Has a recurring job run no later than this, inside the caller's transaction. */
export function* bringForward(work: QueueWork, kind: RecurringKind, runAfterMs: number): Unit<void> {
  const moved = yield* run(sql`update jobs set run_after = ${runAfterMs}
    where kind = ${kind} and attempt = 0 and run_after > ${runAfterMs}`);
  if (moved > 0) yield* work.tellJobs();
}

/**
 * Whether the same job waits already; it then runs no later than this one would, nor before the caller's transaction is
 * committed. One that is just being claimed may not see what that writes.
 */
function* hastened(work: QueueWork, { kind, payload }: Pick<Job, "kind" | "payload">, runAfterMs: number) {
  const waiting = yield* row<{ id: number; run_after: number }>(sql`select id, run_after from jobs
    where kind = ${kind} and payload = ${JSON.stringify(payload)} and attempt = 0 limit 1 ${work.dialect.unlessLocked}`);
  if (waiting && waiting.run_after > runAfterMs) {
    yield* run(sql`update jobs set run_after = ${runAfterMs} where id = ${waiting.id}`);
    yield* work.tellJobs();
  }
  return waiting !== null;
}
