import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { intArray } from "../engine/values.ts";
import type { Engine } from "../engine/work.ts";
import { drive } from "../units/drive.ts";
import { tellJobs } from "./queue.ts";

/** Part of a lease after which it is renewed: two renewals may fail before it ends. */
const RENEWED_AFTER = 1 / 3;

/** The jobs that this process has in hand: nobody else's for as long as it lives. */
export interface Leases {
  /** Renews the lease of a job from now on. */
  take(id: number, leaseMs: number): void;
  /** No longer. */
  drop(id: number): void;
  /** Renews no more, and gives back whatever is still in hand, due at once; where that cannot be written, its lease ends. */
  close(): Promise<void>;
}

/** Leases of a process; `holder` names it among those that use the database. */
export function createLeases(engine: Engine, holder: string, clock: Clock): Leases {
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
  return {
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
