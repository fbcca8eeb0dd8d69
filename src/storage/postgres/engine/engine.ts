import { sql } from "drizzle-orm";
import type { Driver } from "./driver.ts";
import { asStorageFault, isLost, isNotConnected, isRepeatable } from "./faults.ts";
import { statementsOf } from "./statements.ts";
import type { Db, Engine, Rules, TenantWork, Work } from "./work.ts";

/** Attempts at a transaction that others get in the way of. */
const ATTEMPTS_MAX = 4;
/** Pause before the next attempt at a server that cannot be reached; doubles. All of them together last some three seconds. */
const PAUSE_MS = 200;
const PAUSES_MAX = 4;
/** The first of the two numbers of a tenant's write lock; it tells Cairn's locks from those of others. */
const LOCK_SPACE = 0x0ca1;

/**
 * Runs work over a driver; failures of the server become UNAVAILABLE, those that pass are tried again within a bound. Each
 * transaction tells how many rows it changed.
 */
export function createEngine(
  { db }: Pick<Driver, "db">,
  rules: Rules,
  onChanged: (rows: number) => void = () => {},
): Engine {
  const workOf = (db: Db): Work => ({ ...rules, ...statementsOf(db) });
  const persistent = createPersistence();
  const transact = async <T>(body: (work: Work) => Promise<T>): Promise<T> => {
    let changed = 0;
    const counted = (work: Work): Work => ({
      ...work,
      run: async (query) => {
        const rows = await work.run(query);
        changed += rows;
        return rows;
      },
    });
    const done = await db.transaction((tx) => body(counted(workOf(tx))));
    onChanged(changed);
    return done;
  };
  return {
    ...rules,
    look: (body) => persistent(() => body(workOf(db)), isPassing),
    snapshot: (body) =>
      persistent(
        () => db.transaction((tx) => body(workOf(tx)), { isolationLevel: "repeatable read", accessMode: "read only" }),
        isPassing,
      ),
    write: (tenant_id, body) =>
      persistent(
        () =>
          transact(async (work) => {
            await work.row(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${lockOf(tenant_id)}::int)`);
            const own: TenantWork = { ...work, tenant_id };
            return body(own);
          }),
        mayRunAgain,
      ),
    change: (body) => persistent(() => transact(body), mayRunAgain),
  };
}

/** A number of a tenant for its lock: tenants that share one only wait for each other. */
const lockOf = (tenant_id: string): number => Bun.hash.crc32(tenant_id) | 0;

/** Reading again does no harm, whatever became of the first time. */
const isPassing = (error: unknown): boolean => isNotConnected(error) || isLost(error) || isRepeatable(error);
/** What was lost on its way may have been written: to write it again is for the caller to decide. */
const mayRunAgain = (error: unknown): boolean => isNotConnected(error) || isRepeatable(error);

interface Tried {
  times: number;
  pauses: number;
}
type Persistent = <T>(attempt: () => Promise<T>, mayPass: (error: unknown) => boolean) => Promise<T>;

/** Has what may pass tried again, some three seconds long. Once a server was waited for in vain, nobody waits for it any more until it answers. */
export function createPersistence(): Persistent {
  let isAway = false;
  /** Waits before the next attempt; whether there is to be one. */
  const another = async (error: unknown, tried: Tried): Promise<boolean> => {
    tried.times++;
    if (isRepeatable(error)) return tried.times < ATTEMPTS_MAX;
    isAway ||= tried.pauses >= PAUSES_MAX;
    if (isAway) return false;
    await Bun.sleep(PAUSE_MS * 2 ** tried.pauses++);
    return true;
  };
  return async (attempt, mayPass) => {
    const tried: Tried = { times: 0, pauses: 0 };
    for (;;) {
      try {
        const done = await attempt();
        isAway = false;
        return done;
      } catch (error) {
        if (!mayPass(error) || !(await another(error, tried))) throw asStorageFault(error);
      }
    }
  };
}
