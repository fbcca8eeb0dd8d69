import { describeCause } from "../kernel/log.ts";
import type { Services } from "../ports/context.ts";
import type { Health } from "../schema/system.ts";

/** How Cairn is: unhealthy without storage or jobs, degraded when the model failed and search is by keyword only. */
export async function checkHealth(services: Services): Promise<Health> {
  const storage = await storageAnswers(services);
  const jobs = services.jobsHealthy();
  const unhealthy_dependencies = [...(storage ? [] : ["storage"]), ...(jobs ? [] : ["event_bus"])];
  const platform_init_errors = services.embedder.state().phase === "failed" ? ["embedding_model_unavailable"] : [];
  return {
    status: overall({ storage, sound: jobs && platform_init_errors.length === 0 }),
    storage: storage ? "connected" : "unreachable",
    redis: "not configured",
    event_bus: jobs ? "ok" : "unhealthy",
    platform_init_errors,
    unhealthy_dependencies,
  };
}

function overall({ storage, sound }: { storage: boolean; sound: boolean }): Health["status"] {
  if (!storage) return "unhealthy";
  return sound ? "ok" : "degraded";
}

async function storageAnswers({ storage, log }: Services): Promise<boolean> {
  try {
    await storage.ping();
    return true;
  } catch (error) {
    log.warn("storage does not answer", { cause: describeCause(error) });
    return false;
  }
}
