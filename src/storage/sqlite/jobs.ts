import { and, asc, count, desc, eq, gt, inArray, lte, min, sql } from "drizzle-orm";
import type { JobStore, LeasedJob } from "../../ports/job-store.ts";
import { Job } from "../../schema/job.ts";
import type { Connections } from "./connection.ts";
import { guarded } from "./faults.ts";
import { queueReembedding } from "./reembed.ts";
import { jobs } from "./tables.ts";

/** Longest text of a failure that is kept beside a job. */
const REASON_MAX = 500;

/** Kinds that look at whatever is there when they run: a second one that waits would find nothing to do. */
const ONCE: readonly Job["kind"][] = ["promote_skills", "review_skills"];

/** Adds job rows inside the caller's transaction. */
export function insertJobs(at: Connections, added: readonly Job[], runAfterMs: number): void {
  for (const { kind, payload } of added) {
    if (ONCE.includes(kind) && hastened(at, { kind, payload }, runAfterMs)) continue;
    at.write.insert(jobs).values({ kind, payload, run_after: runAfterMs, attempt: 0 }).run();
  }
}

/** Whether the same job waits already; it then runs no later than this one would. */
function hastened(at: Connections, { kind, payload }: Pick<Job, "kind" | "payload">, runAfterMs: number): boolean {
  const same = and(eq(jobs.kind, kind), eq(jobs.payload, payload), eq(jobs.attempt, 0));
  const waiting = at.write.select({ id: jobs.id, run_after: jobs.run_after }).from(jobs).where(same).limit(1).get();
  if (waiting && waiting.run_after > runAfterMs)
    at.write.update(jobs).set({ run_after: runAfterMs }).where(eq(jobs.id, waiting.id)).run();
  return waiting !== undefined;
}

export function sqliteJobStore(at: Connections): JobStore {
  return {
    addReembedding: (models, runAfterMs) =>
      guarded(() => at.transaction(() => queueReembedding(at, models, runAfterMs))),
    add: (added, runAfterMs) => guarded(() => at.transaction(() => insertJobs(at, added, runAfterMs))),
    ensure: (wanted, runAfterMs) =>
      guarded(() =>
        at.transaction(() => {
          const isMissing = ({ kind }: Job) => !at.write.select().from(jobs).where(eq(jobs.kind, kind)).limit(1).get();
          insertJobs(at, wanted.filter(isMissing), runAfterMs);
        }),
      ),
    claim: (nowMs, leaseMs) => guarded(() => at.transaction(() => claim(at, nowMs, leaseMs))),
    finish: (id) => guarded(() => void at.write.delete(jobs).where(eq(jobs.id, id)).run()),
    again: (id, runAfterMs) =>
      guarded(() => {
        const change = { run_after: runAfterMs, attempt: 0, last_error: null };
        at.write.update(jobs).set(change).where(eq(jobs.id, id)).run();
      }),
    retry: (id, runAfterMs, reason) =>
      guarded(() => {
        const change = { run_after: runAfterMs, last_error: reason.slice(0, REASON_MAX) };
        at.write.update(jobs).set(change).where(eq(jobs.id, id)).run();
      }),
    wake: (nowMs) =>
      guarded(() => void at.write.update(jobs).set({ run_after: nowMs }).where(gt(jobs.run_after, nowMs)).run()),
    nextDue: () =>
      guarded(
        () =>
          at.write
            .select({ due: min(jobs.run_after) })
            .from(jobs)
            .get()?.due ?? null,
      ),
    tally: (nowMs) =>
      guarded(() => ({
        due: at.read.select({ n: count() }).from(jobs).where(lte(jobs.run_after, nowMs)).get()?.n ?? 0,
        failing: at.read.select({ n: count() }).from(jobs).where(failed).get()?.n ?? 0,
      })),
  };
}

const failed = and(gt(jobs.attempt, 0), sql`${jobs.last_error} is not null`);

/** Kinds that searches wait for: what is not embedded yet is found by its words alone. */
const FIRST: Job["kind"][] = ["embed_memories", "embed_documents"];
const isFirst = inArray(jobs.kind, FIRST);

/** A row that no handler of this version reads waits with its reason, and the next one is taken instead. */
function claim(at: Connections, nowMs: number, leaseMs: number): LeasedJob | null {
  const isDue = lte(jobs.run_after, nowMs);
  const due = at.write.select().from(jobs).where(isDue).orderBy(desc(isFirst), asc(jobs.run_after), asc(jobs.id));
  const next = () => due.limit(1).get();
  for (let row = next(); row; row = next()) {
    const attempt = row.attempt + 1;
    const parsed = Job.safeParse({ kind: row.kind, payload: row.payload });
    const change = { run_after: nowMs + leaseMs, attempt, ...(parsed.success ? {} : { last_error: UNREADABLE }) };
    at.write.update(jobs).set(change).where(eq(jobs.id, row.id)).run();
    if (parsed.success) return { id: row.id, attempt, job: parsed.data };
  }
  return null;
}

const UNREADABLE = "This version of Cairn does not know this kind of job.";
