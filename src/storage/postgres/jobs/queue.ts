import { sql } from "drizzle-orm";
import type { StorageEvent } from "../../../core/ports/storage-policies.ts";
import type { Job, RecurringKind } from "../../../core/schema/job.ts";
import { RECURRING_KINDS } from "../../../core/schema/job.ts";
import { rankOf } from "../../common/job-ranks.ts";
import { recordsValue } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";

/** On which every process hears that there may be work. */
export const JOBS_CHANNEL = "cairn_jobs";

/** Kinds that look at whatever is there when they run: a second one that waits would find nothing to do. */
const ONCE: readonly Job["kind"][] = ["promote_skills", "review_skills", "wipe_traces"];

/**
 * Adds job rows inside the caller's transaction; once that is committed, every process hears of it. A recurring job of a kind
 * that has a row adds none.
 */
export async function insertJobs(work: Work, added: readonly Job[], runAfterMs: number): Promise<void> {
  const rows: object[] = [];
  for (const { kind, payload } of added) {
    if (ONCE.includes(kind) && (await hastened(work, { kind, payload }, runAfterMs))) continue;
    const tenant_id = "tenant_id" in payload ? payload.tenant_id : null;
    rows.push({ tenant_id, kind, payload: JSON.stringify(payload), rank: rankOf(kind) });
  }
  if (rows.length === 0) return;
  await work.run(sql`insert into jobs (tenant_id, kind, payload, run_after, attempt, rank)
    select j.tenant_id, j.kind, j.payload, ${runAfterMs}, 0, j.rank
    from json_to_recordset(${recordsValue(rows)}) as j (tenant_id text, kind text, payload text, rank integer)
    on conflict do nothing`);
  await tellJobs(work);
}

/** Tells every process that listens, once the caller's transaction is committed. */
export const tellJobs = (work: Work): Promise<number> => work.run(sql`select pg_notify(${JOBS_CHANNEL}, '')`);

/** Adds the jobs that follow from what happened to rows, inside the caller's transaction. */
export async function queueAfter(work: Work, event: StorageEvent): Promise<void> {
  for (const { job, due_ms } of work.policies.jobsAfter(event)) {
    const recurring = RECURRING_KINDS.find((kind) => kind === job.kind);
    if (recurring) await bringForward(work, recurring, due_ms);
    else await insertJobs(work, [job], due_ms);
  }
}

/** Has a recurring job run no later than this, inside the caller's transaction. */
export async function bringForward(work: Work, kind: RecurringKind, runAfterMs: number): Promise<void> {
  const moved = await work.run(sql`update jobs set run_after = ${runAfterMs}
    where kind = ${kind} and attempt = 0 and run_after > ${runAfterMs} and held_by is null`);
  if (moved > 0) await tellJobs(work);
}

/**
 * Whether the same job waits already; it then runs no later than this one would, nor before the caller's transaction is
 * committed. One that is just being claimed may not see what that writes.
 */
async function hastened(work: Work, { kind, payload }: Pick<Job, "kind" | "payload">, runAfterMs: number) {
  const waiting = await work.row<{ id: number; run_after: number }>(sql`select id, run_after from jobs
    where kind = ${kind} and payload = ${JSON.stringify(payload)} and attempt = 0 and held_by is null limit 1
    for update skip locked`);
  if (waiting && waiting.run_after > runAfterMs) {
    await work.run(sql`update jobs set run_after = ${runAfterMs} where id = ${waiting.id}`);
    await tellJobs(work);
  }
  return waiting !== null;
}
