import { sql } from "drizzle-orm";
import type { StorageEvent } from "../../../core/ports/storage-policies.ts";
import type { Job } from "../../../core/schema/job.ts";
import * as queue from "../../jobs/queue.ts";
import type { Unit } from "../../units/unit.ts";
import { run } from "../../units/unit.ts";
import type { Work } from "../engine/work.ts";
import { postgresDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";

/** On which every process hears that there may be work. */
export const JOBS_CHANNEL = "cairn_jobs";

/** Tells every process that listens, once the caller's transaction is committed. */
export function* tellJobs(): Unit<void> {
  yield* run(sql`select pg_notify(${JOBS_CHANNEL}, '')`);
}

/** Adds job rows inside the caller's transaction. */
export const insertJobs = (work: Work, added: readonly Job[], runAfterMs: number): Promise<void> =>
  drive(work, queue.insertJobs({ dialect, tellJobs }, added, runAfterMs));

/** Adds the jobs that follow from what happened to rows, inside the caller's transaction. */
export const queueAfter = (work: Work, event: StorageEvent): Promise<void> =>
  drive(work, queue.queueAfter({ dialect, policies: work.policies, tellJobs }, event));
