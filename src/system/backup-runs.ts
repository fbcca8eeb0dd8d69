import type { Clock } from "../core/kernel/clock.ts";
import { toTimestamp } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Logger } from "../core/kernel/log.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { BackupRuns } from "../core/ports/keeping/backups.ts";
import type { BackupRun } from "../core/schema/keeping/backup.ts";

/** Keeps the run of a process; `changed` is called as it goes on. */
export function createBackupRuns(clock: Clock, log: Logger, changed: () => void): BackupRuns {
  let run: BackupRun | null = null;
  const now = () => toTimestamp(clock.now());
  return {
    latest: () => run,
    begin(made, work) {
      if (run?.state === "running") return false;
      const begun: BackupRun = { ...BEGUN, made, started_at: now() };
      const change = (told: Partial<BackupRun>) => {
        run = { ...(run ?? begun), ...told };
        changed();
      };
      run = begun;
      void work(change).then(
        ({ backup, left }) =>
          change({ state: "finished", backup, left, done: run?.total ?? 0, now: "", finished_at: now() }),
        (error: unknown) => {
          log.warn("backup failed", { cause: describeCause(error) });
          const message = error instanceof AppError ? error.message : "It failed; the log has the cause.";
          change({ state: "failed", error: message, finished_at: now() });
        },
      );
      return true;
    },
  };
}

const BEGUN = {
  state: "running",
  done: 0,
  total: 0,
  now: "",
  finished_at: null,
  backup: null,
  left: [],
  error: null,
} as const satisfies Partial<BackupRun>;
