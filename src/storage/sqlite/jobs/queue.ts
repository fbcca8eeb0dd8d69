import type { StorageEvent } from "../../../core/ports/storage-policies.ts";
import type { Job } from "../../../core/schema/job.ts";
import * as queue from "../../jobs/queue.ts";
import type { Unit } from "../../units/unit.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { sqliteDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";

/** The caller tells of them, once its transaction is committed. */
export function* tellJobs(): Unit<void> {}

/** Adds job rows inside the caller's transaction. */
export const insertJobs = (db: Connections, added: readonly Job[], runAfterMs: number): void =>
  drive(db.writeConnection, queue.insertJobs({ dialect, tellJobs }, added, runAfterMs));

/** Adds the jobs that follow from what happened to rows, inside the caller's transaction. */
export const queueAfter = (db: Engine, event: StorageEvent): void =>
  drive(db.writeConnection, queue.queueAfter({ dialect, policies: db.policies, tellJobs }, event));
