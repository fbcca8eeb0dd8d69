import type { Logger } from "../core/kernel/log.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { Services } from "../core/ports/context.ts";
import type { Health } from "../core/schema/system.ts";

/**
 * How Cairn is: unhealthy when nothing can be read, or without the Redis it was told to use; degraded when nothing can be
 * written or the disk has no room for what is, pages of the data file are damaged, the jobs rest, or the model failed and search
 * is by keyword only.
 */
export async function checkHealth(services: Services): Promise<Health> {
  const { storage, embedder } = services;
  const stored = await storageState(services);
  const redis = await redisState(services);
  const platform_init_errors = [
    ...(embedder.state().phase === "failed" ? ["embedding_model_unavailable"] : []),
    ...(storage.damage().seen ? ["data_file_damaged"] : []),
  ];
  const jobs = services.jobsHealthy();
  const canServe = stored !== "unreachable" && redis !== "unavailable";
  return {
    status: overall(canServe, stored === "connected" && jobs && platform_init_errors.length === 0),
    storage: stored,
    redis,
    event_bus: jobs ? "ok" : "unhealthy",
    platform_init_errors,
    unhealthy_dependencies: [
      ...(stored === "connected" ? [] : ["storage"]),
      ...(redis === "unavailable" ? ["redis"] : []),
      ...(jobs ? [] : ["event_bus"]),
    ],
  };
}

function overall(canServe: boolean, isSound: boolean): Health["status"] {
  if (!canServe) return "unhealthy";
  return isSound ? "ok" : "degraded";
}

async function storageState({ storage, log }: Services): Promise<Health["storage"]> {
  if (await answers("storage", () => storage.ping(), log)) return "connected";
  return (await answers("storage", () => storage.pingReads(), log)) ? "read_only" : "unreachable";
}

async function redisState({ shared, log }: Services): Promise<Health["redis"]> {
  if (shared === null) return "not configured";
  return (await answers("redis", () => shared.ping(), log)) ? "connected" : "unavailable";
}

async function answers(what: string, ping: () => Promise<void>, log: Logger): Promise<boolean> {
  try {
    await ping();
    return true;
  } catch (error) {
    log.warn(`${what} does not answer`, { cause: describeCause(error) });
    return false;
  }
}
