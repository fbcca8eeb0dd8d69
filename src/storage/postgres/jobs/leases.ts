import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { JobStore } from "../../../core/ports/job-store.ts";
import type { Hands } from "../../jobs/hands.ts";
import { jobStore } from "../../jobs/store.ts";
import { run } from "../../units/unit.ts";
import { intArray } from "../engine/values.ts";
import type { Engine } from "../engine/work.ts";
import { drive } from "../units/drive.ts";
import { postgresRunner } from "../units/run.ts";
import { tellJobs } from "./queue.ts";

/** Part of a lease after which it is renewed: two renewals may fail before it ends. */
const RENEWED_AFTER = 1 / 3;

/** Of processes that start at the same moment with another model, one queues all of it. */
const LOCK = [0x0ca1 + 1, 2] as const;

/** A job store that gives back what it has in hand when it is closed. */
export interface ClosableJobStore extends JobStore {
  close(): Promise<void>;
}

/** The job store over Postgres; `holder` names this process among those that use the database. */
export function postgresJobStore(engine: Engine, holder: string, clock: Clock): ClosableJobStore {
  const { close, ...hands } = leasing(engine, holder, clock);
  return { ...jobStore(postgresRunner(engine), hands, clock), close };
}

interface Leases extends Hands {
  /** Renews no more, and gives back whatever is still in hand, due at once; where that cannot be written, its lease ends. */
  close(): Promise<void>;
}

/** Jobs in hand by leases, which are renewed for as long as the process lives. */
function leasing(engine: Engine, holder: string, clock: Clock): Leases {
  const inHand = new Set<number>();
  let timer: ReturnType<typeof setInterval> | null = null;
  let renewal: Promise<unknown> = Promise.resolve();

  const stop = (): void => {
    if (timer) clearInterval(timer);
    timer = null;
  };
  const renew = (leaseMs: number): void => {
    const until = clock.now() + leaseMs;
    // What was made due meanwhile stays so.
    const statement = sql`update jobs
      set run_after = greatest(run_after, ${until}), held_until = greatest(held_until, ${until})
      where id = any(${intArray([...inHand])}) and held_by = ${holder} and run_after = held_until`;
    // When it fails there is another in a while.
    renewal = engine.look((work) => work.run(statement)).catch(() => {});
  };
  const isHeld = (nowMs: number) => sql`coalesce(held_until > ${nowMs}, false)`;
  return {
    isHeld,
    mayTake: (nowMs) => sql`(not ${isHeld(nowMs)} or held_by = ${holder})`,
    own: (id) => sql`id = ${id} and held_by = ${holder}`,
    taken: (untilMs) => sql`, held_by = ${holder}, held_until = ${untilMs}`,
    free: sql`, held_by = null, held_until = null`,
    // What another process has in hand is due once its lease ends: who asked again before would find nothing, over and over.
    nextDue: (mayGo) => sql`select least(
      (select min(run_after) from jobs where held_by is null and ${mayGo}),
      (select min(case when held_by = ${holder} then run_after else greatest(run_after, held_until) end)
        from jobs where held_by is not null)) as due`,
    queueAlone: function* () {
      yield* run(sql`select pg_advisory_xact_lock(${LOCK[0]}::int, ${LOCK[1]}::int)`);
    },
    take: (id, leaseMs) => {
      inHand.add(id);
      timer ??= setInterval(() => renew(leaseMs), leaseMs * RENEWED_AFTER);
      timer.unref();
    },
    drop: (id) => {
      inHand.delete(id);
      if (inHand.size === 0) stop();
    },
    close: async () => {
      stop();
      await renewal;
      const givenBack = engine.change(async (work) => {
        const left = await work.run(sql`update jobs
          set run_after = least(run_after, ${clock.now()}), held_by = null, held_until = null where held_by = ${holder}`);
        if (left > 0) await drive(work, tellJobs());
      });
      await givenBack.catch(() => {});
    },
  };
}
