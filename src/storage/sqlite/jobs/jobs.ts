import { and, asc, eq, gt, inArray, lt, lte, min, ne, or } from "drizzle-orm";
import type { JobLane, JobStore, LeasedJob } from "../../../core/ports/job-store.ts";
import { Job } from "../../../core/schema/job.ts";
import { rankOfLane } from "../../common/job-ranks.ts";
import { bringForward } from "../../jobs/queue.ts";
import type { Connections, GroupedConnections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { jobs } from "../engine/tables.ts";
import { sqliteDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";
import { insertJobs, tellJobs } from "./queue.ts";
import { queueReembedding } from "./reembed.ts";
import { countByKind, failing, tally } from "./tally.ts";

/** Longest text of a failure that is kept beside a job. */
const REASON_MAX = 500;

/** The job store over SQLite; `jobAdded` is called after a change that may make a job due sooner. */
export function sqliteJobStore(db: GroupedConnections, jobAdded: () => void): JobStore {
  /** Jobs claimed and not given back: this process alone works on the file. */
  const held = new Set<number>();
  const change = <T>(body: () => T) => guarded(() => db.write(body));
  /** Not claimable again before the change is committed. */
  const giveBack = (id: number, body: () => void) => change(body).finally(() => held.delete(id));
  return {
    addReembedding: (models, runAfterMs) => change(() => queueReembedding(db, models, runAfterMs)),
    add: (added, runAfterMs) => change(() => insertJobs(db, added, runAfterMs)),
    ensure: (wanted, runAfterMs) =>
      change(() => {
        const isMissing = ({ kind }: Job) =>
          !db.drizzleWrite.select().from(jobs).where(eq(jobs.kind, kind)).limit(1).get();
        insertJobs(db, wanted.filter(isMissing), runAfterMs);
      }),
    claim: (nowMs, leaseMs, lane) =>
      guarded(() => {
        const lanes = lane ? [lane] : LANES;
        const leased = db.transaction(() => claim(db, () => nextDueOf(db, lanes, held, nowMs), nowMs, leaseMs));
        if (leased) held.add(leased.id);
        return leased;
      }),
    finish: (id) => giveBack(id, () => void db.drizzleWrite.delete(jobs).where(eq(jobs.id, id)).run()),
    again: (id, runAfterMs) =>
      giveBack(id, () => {
        const again = { run_after: runAfterMs, attempt: 0, last_error: null };
        db.drizzleWrite.update(jobs).set(again).where(eq(jobs.id, id)).run();
      }),
    retry: (id, runAfterMs, reason) =>
      giveBack(id, () => {
        const later = { run_after: runAfterMs, last_error: reason.slice(0, REASON_MAX) };
        db.drizzleWrite.update(jobs).set(later).where(eq(jobs.id, id)).run();
      }),
    wake: (nowMs) =>
      change(() => void db.drizzleWrite.update(jobs).set({ run_after: nowMs }).where(gt(jobs.run_after, nowMs)).run()),
    bringForward: async (kind, runAfterMs) => {
      await change(() => drive(db.writeConnection, bringForward({ dialect, tellJobs }, kind, runAfterMs)));
      jobAdded();
    },
    nextDue: () => guarded(() => nextDue(db)),
    isIdle: (nowMs) => guarded(() => held.size === 0 && (nextDue(db) ?? Number.POSITIVE_INFINITY) > nowMs),
    tally: (nowMs, tenant_id) => guarded(() => tally(db, { held, nowMs, tenant_id })),
    countByKind: (nowMs, tenant_id) => guarded(() => countByKind(db, { held, nowMs, tenant_id })),
    failing: (tenant_id, limit) => guarded(() => failing(db, tenant_id, limit)),
  };
}

const nextDue = (db: Connections): number | null =>
  db.drizzleWrite
    .select({ due: min(jobs.run_after) })
    .from(jobs)
    .get()?.due ?? null;

/** A row that no handler of this version reads waits with its reason, and the next one is taken instead. */
function claim(
  db: Connections,
  next: () => ReturnType<typeof nextDueOf>,
  nowMs: number,
  leaseMs: number,
): LeasedJob | null {
  for (let row = next(); row; row = next()) {
    const attempt = row.attempt + 1;
    const parsed = Job.safeParse({ kind: row.kind, payload: row.payload });
    const change = { run_after: nowMs + leaseMs, attempt, ...(parsed.success ? {} : { last_error: UNREADABLE }) };
    db.drizzleWrite.update(jobs).set(change).where(eq(jobs.id, row.id)).run();
    if (parsed.success) return { id: row.id, attempt, job: gather(db, row.id, parsed.data, next) };
  }
  return null;
}

/** Rows that one job reads at most when it takes in others: as many as of a bulk write. */
const GATHERED_MAX = 25;

/** Rows that were written one at a time are read together: a job takes in the due ones after it that read rows of its tenant. */
function gather(db: Connections, id: number, job: Job, next: () => ReturnType<typeof nextDueOf>): Job {
  if (job.kind !== "understand_memories") return job;
  const { tenant_id, memory_ids } = job.payload;
  const ids = new Set(memory_ids);
  for (let row = next(); row; row = next()) {
    const { data: other } = Job.safeParse({ kind: row.kind, payload: row.payload });
    if (other?.kind !== job.kind || other.payload.tenant_id !== tenant_id || row.attempt > 0) break;
    if (ids.size + other.payload.memory_ids.length > GATHERED_MAX) break;
    for (const one of other.payload.memory_ids) ids.add(one);
    db.drizzleWrite.delete(jobs).where(eq(jobs.id, row.id)).run();
  }
  const gathered = { kind: job.kind, payload: { tenant_id, memory_ids: [...ids] } };
  if (ids.size > memory_ids.length)
    db.drizzleWrite.update(jobs).set({ payload: gathered.payload }).where(eq(jobs.id, id)).run();
  return gathered;
}

const LANES: readonly JobLane[] = ["stated", "embedding", "others"];

/** The due job that waited longest, of the first of these lanes that has one. */
function nextDueOf(db: Connections, lanes: readonly JobLane[], held: ReadonlySet<number>, nowMs: number) {
  for (const lane of lanes) {
    const found = db.drizzleWrite
      .select()
      .from(jobs)
      .where(and(eq(jobs.rank, rankOfLane(lane)), lte(jobs.run_after, nowMs), mayGo(db, lane, held, nowMs)))
      .orderBy(asc(jobs.run_after), asc(jobs.id))
      .limit(1)
      .get();
    if (found) return found;
  }
  return undefined;
}

/** Rows that still wait for their vectors would be read without them, and then once more: their jobs stand before. */
function mayGo(db: Connections, lane: JobLane, held: ReadonlySet<number>, nowMs: number) {
  if (lane !== "others") return undefined;
  const isDueOrHeld = or(lte(jobs.run_after, nowMs), inArray(jobs.id, [...held]));
  const first = db.drizzleWrite
    .select({ id: min(jobs.id) })
    .from(jobs)
    .where(and(eq(jobs.rank, rankOfLane("embedding")), eq(jobs.kind, "embed_memories"), isDueOrHeld))
    .get()?.id;
  return first == null ? undefined : or(ne(jobs.kind, "understand_memories"), lt(jobs.id, first));
}

const UNREADABLE = "This version of Cairn does not know this kind of job.";
