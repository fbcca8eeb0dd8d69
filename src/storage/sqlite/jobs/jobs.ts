import { and, asc, eq, gt, lte, min } from "drizzle-orm";
import type { JobStore, JobTally, LeasedJob } from "../../../core/ports/job-store.ts";
import type { StorageEvent } from "../../../core/ports/storage-policies.ts";
import type { RecurringKind } from "../../../core/schema/job.ts";
import { Job, RECURRING_KINDS } from "../../../core/schema/job.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { jobs } from "../engine/tables.ts";
import { rankOf, rankTurns } from "./job-ranks.ts";
import { queueReembedding } from "./reembed.ts";

/** Longest text of a failure that is kept beside a job. */
const REASON_MAX = 500;

/** Kinds that look at whatever is there when they run: a second one that waits would find nothing to do. */
const ONCE: readonly Job["kind"][] = ["promote_skills", "review_skills", "wipe_traces"];

/** Adds job rows inside the caller's transaction. */
export function insertJobs(db: Connections, added: readonly Job[], runAfterMs: number): void {
  for (const { kind, payload } of added) {
    if (ONCE.includes(kind) && hastened(db, { kind, payload }, runAfterMs)) continue;
    db.drizzleWrite
      .insert(jobs)
      .values({ kind, payload, run_after: runAfterMs, attempt: 0, rank: rankOf(kind) })
      .run();
  }
}

/** Adds the jobs that follow from what happened to rows, inside the caller's transaction. */
export function queueAfter(db: Engine, event: StorageEvent): void {
  for (const { job, due_ms } of db.policies.jobsAfter(event)) {
    const recurring = RECURRING_KINDS.find((kind) => kind === job.kind);
    if (recurring) bringForward(db, recurring, due_ms);
    else insertJobs(db, [job], due_ms);
  }
}

/** Has a recurring job run no later than this, inside the caller's transaction. */
export function bringForward(db: Connections, kind: RecurringKind, runAfterMs: number): void {
  db.drizzleWrite
    .update(jobs)
    .set({ run_after: runAfterMs })
    .where(and(eq(jobs.kind, kind), eq(jobs.attempt, 0), gt(jobs.run_after, runAfterMs)))
    .run();
}

/** Whether the same job waits already; it then runs no later than this one would. */
function hastened(db: Connections, { kind, payload }: Pick<Job, "kind" | "payload">, runAfterMs: number): boolean {
  const same = and(eq(jobs.kind, kind), eq(jobs.payload, payload), eq(jobs.attempt, 0));
  const waiting = db.drizzleWrite
    .select({ id: jobs.id, run_after: jobs.run_after })
    .from(jobs)
    .where(same)
    .limit(1)
    .get();
  if (waiting && waiting.run_after > runAfterMs)
    db.drizzleWrite.update(jobs).set({ run_after: runAfterMs }).where(eq(jobs.id, waiting.id)).run();
  return waiting !== undefined;
}

/** The job store over SQLite; `jobAdded` is called after a change that may make a job due sooner. */
export function sqliteJobStore(db: Connections, jobAdded: () => void): JobStore {
  const nextRanks = rankTurns();
  /** Jobs claimed and not given back: this process alone works on the file. */
  const held = new Set<number>();
  const change = <T>(body: () => T) => guarded(() => db.transaction(body));
  return {
    addReembedding: (models, runAfterMs) => change(() => queueReembedding(db, models, runAfterMs)),
    add: (added, runAfterMs) => change(() => insertJobs(db, added, runAfterMs)),
    ensure: (wanted, runAfterMs) =>
      change(() => {
        const isMissing = ({ kind }: Job) =>
          !db.drizzleWrite.select().from(jobs).where(eq(jobs.kind, kind)).limit(1).get();
        insertJobs(db, wanted.filter(isMissing), runAfterMs);
      }),
    claim: (nowMs, leaseMs) =>
      guarded(() => {
        const leased = db.transaction(() => claim(db, nextRanks(), nowMs, leaseMs));
        if (leased) held.add(leased.id);
        return leased;
      }),
    finish: (id) => {
      held.delete(id);
      return change(() => void db.drizzleWrite.delete(jobs).where(eq(jobs.id, id)).run());
    },
    again: (id, runAfterMs) => {
      held.delete(id);
      return change(() => {
        const again = { run_after: runAfterMs, attempt: 0, last_error: null };
        db.drizzleWrite.update(jobs).set(again).where(eq(jobs.id, id)).run();
      });
    },
    retry: (id, runAfterMs, reason) => {
      held.delete(id);
      return change(() => {
        const later = { run_after: runAfterMs, last_error: reason.slice(0, REASON_MAX) };
        db.drizzleWrite.update(jobs).set(later).where(eq(jobs.id, id)).run();
      });
    },
    wake: (nowMs) =>
      change(() => void db.drizzleWrite.update(jobs).set({ run_after: nowMs }).where(gt(jobs.run_after, nowMs)).run()),
    bringForward: async (kind, runAfterMs) => {
      await change(() => bringForward(db, kind, runAfterMs));
      jobAdded();
    },
    nextDue: () =>
      guarded(
        () =>
          db.drizzleWrite
            .select({ due: min(jobs.run_after) })
            .from(jobs)
            .get()?.due ?? null,
      ),
    tally: (nowMs, tenant_id) => guarded(() => tally(db, held, nowMs, tenant_id)),
  };
}

const TALLY = `
  select
    coalesce(sum(run_after <= $now), 0) as due,
    coalesce(sum(run_after > $now and held), 0) as running,
    coalesce(sum(run_after > $now and not held), 0) as scheduled,
    coalesce(sum(attempt > 0 and last_error is not null), 0) as failing
  from (
    select *, id in (select value from json_each($held)) as held from jobs
    where kind not in (select value from json_each($recurring))
      and ($tenant is null or json_extract(payload, '$.tenant_id') = $tenant)
  )`;

function tally(db: Connections, held: ReadonlySet<number>, nowMs: number, tenant_id: string | null): JobTally {
  const counted = db.readConnection.query<JobTally, Record<string, string | number | null>>(TALLY).get({
    $now: nowMs,
    $held: JSON.stringify([...held]),
    $recurring: JSON.stringify(RECURRING_KINDS),
    $tenant: tenant_id,
  });
  return counted ?? { due: 0, running: 0, scheduled: 0, failing: 0 };
}

/** A row that no handler of this version reads waits with its reason, and the next one is taken instead. */
function claim(
  db: Connections,
  [early, late]: readonly [number, number],
  nowMs: number,
  leaseMs: number,
): LeasedJob | null {
  const next = () => nextDueOf(db, early, nowMs) ?? nextDueOf(db, late, nowMs);
  for (let row = next(); row; row = next()) {
    const attempt = row.attempt + 1;
    const parsed = Job.safeParse({ kind: row.kind, payload: row.payload });
    const change = { run_after: nowMs + leaseMs, attempt, ...(parsed.success ? {} : { last_error: UNREADABLE }) };
    db.drizzleWrite.update(jobs).set(change).where(eq(jobs.id, row.id)).run();
    if (parsed.success) return { id: row.id, attempt, job: parsed.data };
  }
  return null;
}

/** The due job of a rank that waited longest. */
const nextDueOf = (db: Connections, rank: number, nowMs: number) =>
  db.drizzleWrite
    .select()
    .from(jobs)
    .where(and(eq(jobs.rank, rank), lte(jobs.run_after, nowMs)))
    .orderBy(asc(jobs.run_after), asc(jobs.id))
    .limit(1)
    .get();

const UNREADABLE = "This version of Cairn does not know this kind of job.";
