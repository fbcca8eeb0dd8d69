import { newId } from "../core/kernel/ids.ts";
import type { Services } from "../core/ports/context.ts";
import type { ForgeRequested } from "../core/ports/forge-store.ts";
import type { Actor } from "../core/ports/memory-store.ts";
import type { ForgeTrigger } from "../core/schema/forge.ts";
import { FORGE } from "../skills/lifecycle/candidate.ts";
import { skillsFactory } from "../skills/lifecycle/factory.ts";

/** How often the schedule looks whose turn it is; a tenant that opts in waits no longer than this. */
export const SCHEDULE_LOOK_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

/**
 * Job: asks for a run of every opted-in tenant whose last one is as old as its interval. Returns when to look again. What
 * is due is read from the runs themselves, so neither a restart nor a clock put back makes one too many or one too late.
 */
export async function scheduleForge(services: Services): Promise<number> {
  const { clock, storage } = services;
  for (const tenant_id of await storage.forge.optedIn()) {
    const { forge } = await skillsFactory(services, tenant_id);
    await requestRun(services, {
      tenant_id,
      trigger: "schedule",
      quiet_ms: forge.cron_interval_hours * HOUR_MS,
      actor: FORGE,
    });
  }
  return clock.now() + SCHEDULE_LOOK_MS;
}

interface RunRequest {
  readonly tenant_id: string;
  readonly fleet_id?: string | null;
  readonly trigger: ForgeTrigger;
  /** A run asked for less than this long ago makes another one needless. */
  readonly quiet_ms: number;
  readonly actor: Actor;
}

/** Queues a run of the Forge, unless one was asked for not long ago. */
export const requestRun = (
  { clock, storage }: Pick<Services, "clock" | "storage">,
  { fleet_id = null, ...request }: RunRequest,
): Promise<ForgeRequested> => storage.forge.request({ id: newId(clock), fleet_id, ...request });
