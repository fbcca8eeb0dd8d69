import type { Clock } from "../../core/kernel/clock.ts";
import type { Storage } from "../../core/ports/storage.ts";
import { accountStores } from "../stores.ts";
import { postgresBackupStore } from "./backups.ts";
import type { Engine } from "./engine/work.ts";
import { postgresJobStore } from "./jobs/leases.ts";
import { postgresRunner } from "./units/run.ts";

/** The stores that no model has a part in. */
export type SharedStores = Pick<
  Storage,
  "settings" | "projects" | "jobs" | "keys" | "agents" | "replies" | "audit" | "backups"
>;

/** Opens the stores that are the same whichever model answers; `close` gives back what this process has in hand. */
export function openSharedStores(
  engine: Engine,
  clock: Clock,
): { readonly stores: SharedStores; close(): Promise<void> } {
  /** Tells what this process has in hand from what others have. */
  const holder = crypto.randomUUID();
  const accounts = accountStores(postgresRunner(engine), clock, holder);
  const jobs = postgresJobStore(engine, holder, clock);
  return {
    stores: { ...accounts, jobs, backups: postgresBackupStore() },
    close: async () => {
      await jobs.close();
      await accounts.replies.close();
    },
  };
}
