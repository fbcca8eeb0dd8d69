import type { Clock } from "../../core/kernel/clock.ts";
import type { Storage } from "../../core/ports/storage.ts";
import { postgresAgentStore } from "./accounts/agents.ts";
import { postgresAuditStore } from "./accounts/audit.ts";
import { postgresReplyStore } from "./accounts/kept-replies.ts";
import { postgresKeyStore } from "./accounts/keys.ts";
import { postgresSettingsStore } from "./accounts/settings.ts";
import { postgresBackupStore } from "./backups.ts";
import type { Engine } from "./engine/work.ts";
import { postgresJobStore } from "./jobs/jobs.ts";

/** The stores that no model has a part in. */
export type SharedStores = Pick<Storage, "settings" | "jobs" | "keys" | "agents" | "replies" | "audit" | "backups">;

/** Opens the stores that are the same whichever model answers; `close` gives back what this process has in hand. */
export function openSharedStores(
  engine: Engine,
  clock: Clock,
): { readonly stores: SharedStores; close(): Promise<void> } {
  /** Tells what this process has in hand from what others have. */
  const holder = crypto.randomUUID();
  const jobs = postgresJobStore(engine, holder, clock);
  const replies = postgresReplyStore(engine, holder);
  return {
    stores: {
      settings: postgresSettingsStore(engine, clock),
      jobs,
      keys: postgresKeyStore(engine),
      agents: postgresAgentStore(engine, clock),
      replies,
      audit: postgresAuditStore(engine),
      backups: postgresBackupStore(),
    },
    close: async () => {
      await jobs.close();
      await replies.close();
    },
  };
}
