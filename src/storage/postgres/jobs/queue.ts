import { sql } from "drizzle-orm";
import type { Unit } from "../../units/unit.ts";
import { run } from "../../units/unit.ts";

/** On which every process hears that there may be work. */
export const JOBS_CHANNEL = "cairn_jobs";

/** Tells every process that listens, once the caller's transaction is committed. */
export function* tellJobs(): Unit<void> {
  yield* run(sql`select pg_notify(${JOBS_CHANNEL}, '')`);
}
