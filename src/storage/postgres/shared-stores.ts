import type { Clock } from "../../core/kernel/clock.ts";
import type { Storage } from "../../core/ports/storage.ts";
import { agentStore } from "../accounts/agents.ts";
import { auditStore } from "../accounts/audit.ts";
import { replyStore } from "../accounts/kept-replies.ts";
import { keyStore } from "../accounts/keys.ts";
import { settingsStore } from "../accounts/settings.ts";
import { postgresBackupStore } from "./backups.ts";
import type { Engine } from "./engine/work.ts";
import { postgresJobStore } from "./jobs/leases.ts";
import { postgresRunner } from "./units/run.ts";

/** The stores that no model has a part in. */
export type SharedStores = Pick<Storage, "settings" | "jobs" | "keys" | "agents" | "replies" | "audit" | "backups">;

/** Opens the stores that are the same whichever model answers; `close` gives back what this process has in hand. */
export function openSharedStores(
  engine: Engine,
  clock: Clock,
): { readonly stores: SharedStores; close(): Promise<void> } {
  /** Tells what this process has in hand from what others have. */
  const holder = crypto.randomUUID();
  const runner = postgresRunner(engine);
  const jobs = postgresJobStore(engine, holder, clock);
  const replies = replyStore(runner, holder);
  return {
    stores: {
      settings: settingsStore(runner, clock),
      jobs,
      keys: keyStore(runner),
      agents: agentStore(runner, clock),
      replies,
      audit: auditStore(runner),
      backups: postgresBackupStore(),
    },
    close: async () => {
      await jobs.close();
      await replies.close();
    },
  };
}
