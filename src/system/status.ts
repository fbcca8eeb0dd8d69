import type { Ctx } from "../ports/context.ts";
import type { Counters, Status, Version, Whoami } from "../schema/system.ts";
import { API_VERSION, RELEASE } from "../version.ts";
import { checkHealth } from "./health.ts";

export const version = (): Version => ({ version: API_VERSION, release: RELEASE });

/** The identity of the caller, and what resolved it. */
export function whoami({ principal }: Ctx): Whoami {
  const { tenant_id, agent_id, auth_source } = principal;
  return { tenant_id, agent_id, auth_source, via_gateway: auth_source === "gateway-header" };
}

/** What runs here. Never a secret, never a path. */
export async function describeStatus(ctx: Ctx): Promise<Status> {
  const health = await checkHealth(ctx);
  const { embedder, llm, storage, clock } = ctx;
  return {
    version: API_VERSION,
    release: RELEASE,
    mode: ctx.standalone ? "standalone" : "multi-tenant",
    health: health.status,
    dependencies: { storage: health.storage, redis: health.redis, event_bus: health.event_bus },
    storage: { engine: storage.engine, ephemeral: storage.ephemeral },
    embedding: {
      provider: "local",
      model: embedder.id,
      configured: true,
      phase: embedder.state().phase,
      dimensions: embedder.dimensions,
    },
    llm: { provider: llm?.provider ?? null, model: llm?.model ?? null, configured: llm !== null },
    jobs: await storage.jobs.tally(clock.now()),
    uptime_seconds: Math.round((clock.now() - ctx.started_at) / 1000),
    platform_init_errors: health.platform_init_errors,
  };
}

/** Public counters over all tenants; nothing else about them is shown. */
export const counters = (ctx: Ctx): Promise<Counters> => ctx.storage.memories.counters();
