import type { Ctx } from "../core/ports/context.ts";
import type { Counters, Status, Version, Whoami } from "../core/schema/system.ts";
import { API_VERSION, RELEASE } from "../version.ts";
import { checkHealth } from "./health.ts";

/** The version of the interface and of this release. */
export const version = (): Version => ({ version: API_VERSION, release: RELEASE });

/** The identity of the caller, and what resolved it. */
export function whoami({ principal }: Ctx): Whoami {
  const { tenant_id, agent_id, auth_source } = principal;
  return { tenant_id, agent_id, auth_source, via_gateway: auth_source === "gateway-header" };
}

/** What runs here. Never a secret, never a path. */
export async function describeStatus(ctx: Ctx): Promise<Status> {
  const health = await checkHealth(ctx);
  const { embedder, judge, secondaryDocumentEmbedder, llm, storage, clock } = ctx;
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
    judge: {
      provider: judge && "local",
      model: judge?.id ?? null,
      configured: judge !== null,
      phase: judge?.state().phase ?? null,
    },
    paraphraser: {
      provider: secondaryDocumentEmbedder && "local",
      model: secondaryDocumentEmbedder?.id ?? null,
      configured: secondaryDocumentEmbedder !== null,
      phase: secondaryDocumentEmbedder?.state().phase ?? null,
    },
    llm: { provider: llm?.provider ?? null, model: llm?.model ?? null, configured: llm !== null },
    jobs: await jobsLeft(ctx),
    uptime_seconds: Math.round((clock.now() - ctx.started_at) / 1000),
    platform_init_errors: health.platform_init_errors,
  };
}

/** The owner of the machine is told of all tenants; what others write is nobody else's business. */
async function jobsLeft({ principal, storage, clock }: Ctx): Promise<Status["jobs"]> {
  const { admin, owner, tenant_id } = principal;
  if (!admin || tenant_id === null) return null;
  const tally = await storage.jobs.tally(clock.now(), owner ? null : tenant_id);
  const { memories } = storage;
  const embedding_pending = await (owner
    ? memories.countAllPending()
    : memories.countPending({ tenant_id }, Number.MAX_SAFE_INTEGER));
  return { pending: tally.due + tally.running + tally.scheduled, ...tally, embedding_pending };
}

/** Public counters over all tenants; nothing else about them is shown. */
export const counters = (ctx: Ctx): Promise<Counters> => ctx.storage.memories.counters();
