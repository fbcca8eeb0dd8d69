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
    addReembedding: (models, runAfterMs) => change((work) => queueReembedding(work, hands, models, runAfterMs)),
    add: (added, runAfterMs) => change((work) => insertJobs(work, added, runAfterMs)),
    ensure: (wanted, runAfterMs) => change((work) => ensure(work, wanted, runAfterMs)),
    claim: async (nowMs, leaseMs, lane) => {
      const taken: number[] = [];
      const lanes = lane ? [lane] : LANES;
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
    again: (id, runAfterMs) => later(id, sql`run_after = ${runAfterMs}, attempt = 0, last_error = null`),
    retry: (id, runAfterMs, reason) =>
      later(id, sql`run_after = ${runAfterMs}, last_error = ${preview(reason, REASON_MAX)}`),
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
