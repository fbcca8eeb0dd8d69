import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { JobStore } from "../../../core/ports/job-store.ts";
import type { Job } from "../../../core/schema/job.ts";
import { bringForward } from "../../jobs/queue.ts";
import { textArray } from "../engine/values.ts";
import type { Engine, Work } from "../engine/work.ts";
import { postgresDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";
import { claim, LANES } from "./claim.ts";
import { isIdle, nextDue } from "./due.ts";
import { createLeases } from "./leases.ts";
import { insertJobs, tellJobs } from "./queue.ts";
import { queueReembedding } from "./reembed.ts";
import { countByKind, failing, tally } from "./tally.ts";

/** Longest text of a failure that is kept beside a job. */
const REASON_MAX = 500;

/** A job store that gives back what it has in hand when it is closed. */
export interface ClosableJobStore extends JobStore {
  close(): Promise<void>;
}

/** The job store over Postgres; `holder` names this process among those that use the database. */
export function postgresJobStore(engine: Engine, holder: string, clock: Clock): ClosableJobStore {
  const leases = createLeases(engine, holder, clock);
  /** What another process has taken over meanwhile is left to that one. */
  const own = (id: number): SQL => sql`id = ${id} and held_by = ${holder}`;
  const finish = (id: number): Promise<void> =>
    engine.look(async (work) => void (await work.run(sql`delete from jobs where ${own(id)}`)));
  const later = (id: number, set: SQL): Promise<void> =>
    engine.change(async (work) => {
      await work.run(sql`update jobs set ${set}, held_by = null, held_until = null where ${own(id)}`);
      await drive(work, tellJobs());
    });
  const givenBack = (id: number, change: Promise<void>): Promise<void> => change.finally(() => leases.drop(id));
  return {
    addReembedding: (models, runAfterMs) => engine.change((work) => queueReembedding(work, models, runAfterMs)),
    add: (added, runAfterMs) => engine.change((work) => insertJobs(work, added, runAfterMs)),
    ensure: (wanted, runAfterMs) => engine.change((work) => ensure(work, wanted, runAfterMs)),
    claim: async (nowMs, leaseMs, lane) => {
      const lanes = lane ? [lane] : LANES;
      const leased = await engine.change((work) => claim(work, lanes, { holder, nowMs, leaseMs }));
      if (leased) leases.take(leased.id, leaseMs);
      return leased;
    },
    finish: (id) => givenBack(id, finish(id)),
    again: (id, runAfterMs) => givenBack(id, later(id, sql`run_after = ${runAfterMs}, attempt = 0, last_error = null`)),
    retry: (id, runAfterMs, reason) =>
      givenBack(id, later(id, sql`run_after = ${runAfterMs}, last_error = ${reason.slice(0, REASON_MAX)}`)),
    wake: (nowMs) =>
      engine.look(async (work) => {
        // What another process that lives has in hand is left to it.
        await work.run(sql`update jobs set run_after = ${nowMs} where run_after > ${nowMs}
          and (held_by is null or held_by = ${holder} or held_until <= ${nowMs})`);
      }),
    bringForward: (kind, runAfterMs) =>
      engine.change((work) => drive(work, bringForward({ dialect, tellJobs }, kind, runAfterMs))),
    nextDue: () => engine.look((work) => nextDue(work, { holder, nowMs: clock.now() })),
    isIdle: (nowMs) => engine.look((work) => isIdle(work, nowMs)),
    tally: (nowMs, tenant_id) => engine.look((work) => tally(work, { nowMs, tenant_id })),
    countByKind: (nowMs, tenant_id) => engine.look((work) => countByKind(work, { nowMs, tenant_id })),
    failing: (tenant_id, limit) => engine.look((work) => failing(work, tenant_id, limit)),
    close: () => leases.close(),
  };
}

/** Of processes that ask at the same moment, one adds the row: there may be but one of a recurring kind. */
async function ensure(work: Work, wanted: readonly Job[], runAfterMs: number): Promise<void> {
  const rows = await work.rows<{ kind: string }>(
    sql`select distinct kind from jobs where kind = any(${textArray(wanted.map(({ kind }) => kind))})`,
  );
  const known = new Set(rows.map(({ kind }) => kind));
  await insertJobs(
    work,
    wanted.filter(({ kind }) => !known.has(kind)),
    runAfterMs,
  );
}
