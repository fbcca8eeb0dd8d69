import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { preview } from "../../core/kernel/text.ts";
import type { JobStore } from "../../core/ports/job-store.ts";
import type { Job } from "../../core/schema/job.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { QueueWork, Runner, Work } from "../units/work.ts";
import { claim, LANES, mayGo } from "./claim.ts";
import type { Hands } from "./hands.ts";
import { bringForward, insertJobs } from "./queue.ts";
import { queueReembedding } from "./reembed.ts";
import { countByKind, failing, tally } from "./tally.ts";

/** Longest text of a failure that is kept beside a job. */
const REASON_MAX = 500;

/** The job store; `hands` tells what this process has in hand from what others have. */
export function jobStore(
  { look, change, repeatable }: Pick<Runner, "look" | "change" | "repeatable">,
  hands: Hands,
  clock: Clock,
): JobStore {
  /** Not claimable again before the change is committed. */
  const givenBack = (id: number, body: (work: QueueWork) => Unit<unknown>): Promise<void> =>
    change(function* (work) {
      yield* body(work);
    }).finally(() => hands.drop(id));
  const later = (id: number, set: SQL): Promise<void> =>
    givenBack(id, function* (work) {
      yield* run(sql`update jobs set ${set}${hands.free} where ${hands.own(id)}`);
      yield* work.tellJobs();
    });
  return {
    addReembedding: (embedder_id, runAfterMs) =>
      queueReembedding({ look, change }, { hands, embedder_id, nowMs: runAfterMs }),
    add: (added, runAfterMs) => change((work) => insertJobs(work, added, runAfterMs)),
    ensure: (wanted, runAfterMs) => change((work) => ensure(work, wanted, runAfterMs)),
    claim: async (nowMs, leaseMs, lanes = LANES) => {
      const taken: number[] = [];
      try {
        const found = await change(function* (work) {
          const leased = yield* claim(work, lanes, { hands, nowMs, leaseMs });
          if (leased) {
            taken.push(leased.id);
            hands.take(leased.id, leaseMs);
          }
          return leased;
        });
        // A transaction that ran twice may have taken another one before.
        for (const id of taken) if (id !== found?.id) hands.drop(id);
        return found;
      } catch (error) {
        for (const id of taken) hands.drop(id);
        throw error;
      }
    },
    finish: (id) => repeatable(() => finish(hands, id)).finally(() => hands.drop(id)),
    replace: (id, jobs, runAfterMs) => givenBack(id, (work) => replace(work, hands, { id, jobs, runAfterMs })),
    again: (id, runAfterMs) => later(id, sql`run_after = ${runAfterMs}, attempt = 0, last_error = null`),
    retry: (id, runAfterMs, reason) =>
      later(id, sql`run_after = ${runAfterMs}, last_error = ${reason === null ? null : preview(reason, REASON_MAX)}`),
    wake: (nowMs) => repeatable(() => wake(hands, nowMs)),
    bringForward: (kind, runAfterMs) => change((work) => bringForward(work, kind, runAfterMs)),
    nextDue: () => look(() => nextDue(hands, clock.now())),
    isIdle: (nowMs) => look(() => isIdle(hands, nowMs)),
    tally: (nowMs, tenant_id) => look((work) => tally(work, { hands, nowMs, tenant_id })),
    countByKind: (nowMs, tenant_id) => look((work) => countByKind(work, { hands, nowMs, tenant_id })),
    failing: (tenant_id, limit) => look((work) => failing(work, tenant_id, limit)),
  };
}

/** Of processes that ask at the same moment, one adds the row: there may be but one of a recurring kind. */
function* ensure(work: QueueWork, wanted: readonly Job[], runAfterMs: number): Unit<void> {
  const kinds = wanted.map(({ kind }) => kind);
  const found = yield* kindsAmong(work, kinds);
  const known = new Set(found.map(({ kind }) => kind));
  const missing = wanted.filter(({ kind }) => !known.has(kind));
  yield* insertJobs(work, missing, runAfterMs);
}

const kindsAmong = ({ dialect }: Work, kinds: readonly string[]): Unit<{ kind: string }[]> =>
  rows<{ kind: string }>(sql`select distinct kind from jobs where ${dialect.isIn(sql`kind`, kinds)}`);

function* finish(hands: Hands, id: number): Unit<void> {
  yield* run(sql`delete from jobs where ${hands.own(id)}`);
}

interface Replaced {
  readonly id: number;
  readonly jobs: readonly Job[];
  readonly runAfterMs: number;
}

function* replace(work: QueueWork, hands: Hands, { id, jobs, runAfterMs }: Replaced): Unit<void> {
  // First, so that nobody else takes it; taken out last, so that no other gets its number.
  const isOwn = (yield* run(sql`update jobs set last_error = null where ${hands.own(id)}`)) > 0;
  if (!isOwn) return;
  const wanted: Job[] = [];
  for (const job of jobs) if (!(yield* waitsBeside(id, job))) wanted.push(job);
  yield* insertJobs(work, wanted, runAfterMs);
  yield* run(sql`delete from jobs where id = ${id}`);
}

/** Whether the same job is there beside one, failed or not. */
function* waitsBeside(id: number, { kind, payload }: Job): Unit<boolean> {
  const same = sql`kind = ${kind} and payload = ${JSON.stringify(payload)}`;
  return (yield* row(sql`select 1 as one from jobs where ${same} and id <> ${id} limit 1`)) !== null;
}

/** What another process that lives has in hand is left to it. */
function* wake(hands: Hands, nowMs: number): Unit<void> {
  yield* run(sql`update jobs set run_after = ${nowMs} where run_after > ${nowMs} and ${hands.mayTake(nowMs)}`);
}

function* nextDue(hands: Hands, nowMs: number): Unit<number | null> {
  const next = yield* row<{ due: number | null }>(hands.nextDue(mayGo(hands, nowMs)));
  return next?.due ?? null;
}

/** Whether no job is due or in hand. */
function* isIdle(hands: Hands, nowMs: number): Unit<boolean> {
  const busy = yield* row(sql`select 1 as one from jobs where run_after <= ${nowMs} or ${hands.isHeld(nowMs)} limit 1`);
  return busy === null;
}
