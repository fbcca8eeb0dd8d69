import { countedScope } from "../access/counted.ts";
import { rounded } from "../core/kernel/text.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { DiskUse } from "../core/ports/storage.ts";
import type { Counters, ServerProof, ServerProofQuery, Status, Version, Whoami } from "../core/schema/system.ts";
import { API_VERSION, RELEASE } from "../version.ts";
import { checkHealth } from "./health.ts";

/** The version of the interface and of this release. */
export const version = (): Version => ({ version: API_VERSION, release: RELEASE });

/** The identity of the caller, and what resolved it. */
export function whoami({ principal }: Ctx): Whoami {
  const { tenant_id, agent_id, auth_source } = principal;
  return { tenant_id, agent_id, auth_source, via_gateway: auth_source === "gateway-header" };
}

/** Shows that this server knows the token of its data folder, to whoever knows it too. */
export const proveServer = ({ identity }: Ctx, { challenge }: ServerProofQuery): ServerProof => ({
  proof: identity.prove(challenge),
});

/** What runs here. Never a secret, never a path. */
export async function describeStatus(ctx: Ctx): Promise<Status> {
  const health = await checkHealth(ctx);
  const { embedder, judge, llm, storage, clock } = ctx;
  return {
    version: API_VERSION,
    release: RELEASE,
    mode: ctx.standalone ? "standalone" : "multi-tenant",
    health: health.status,
    dependencies: { storage: health.storage, redis: health.redis, event_bus: health.event_bus },
    storage: { engine: storage.engine, ephemeral: storage.ephemeral, ...(await diskUse(ctx)) },
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
    llm: { provider: llm?.provider ?? null, model: llm?.model ?? null, configured: llm !== null },
    search_threads: ctx.searchThreads.count(),
    search_index: searchIndex(ctx),
    jobs: await jobsLeft(ctx),
    uptime_seconds: Math.round((clock.now() - ctx.started_at) / 1000),
    platform_init_errors: health.platform_init_errors,
  };
}

/** A disk that does not answer is told by the health of the storage. */
async function diskUse({ principal, storage }: Ctx): Promise<DiskUse | NoDiskUse> {
  const use = principal.owner ? await storage.diskUse().catch(() => null) : null;
  return use ?? { data_bytes: null, log_bytes: null, free_bytes: null };
}
type NoDiskUse = Readonly<Record<keyof DiskUse, null>>;

function searchIndex({ principal, storage }: Ctx): Status["search_index"] {
  const { state, rows, bytes, ready_ms } = storage.searchIndex();
  return { state, ready_ms, ...(principal.owner ? { rows, bytes } : { rows: null, bytes: null }) };
}

/** The owner of the machine is told of all tenants; what others write is nobody else's business. */
async function jobsLeft({ principal, storage, clock, pace }: Ctx): Promise<Status["jobs"]> {
  const { admin, owner, tenant_id } = principal;
  if (!admin || tenant_id === null) return null;
  const tally = await storage.jobs.tally(clock.now(), owner ? null : tenant_id);
  const { memories } = storage;
  const embedding_pending = await (owner
    ? memories.countAllPending()
    : memories.countPending({ tenant_id }, Number.MAX_SAFE_INTEGER));
  const left = { embedding_pending, understanding_pending: tally.understanding_pending };
  return { pending: tally.due + tally.running + tally.scheduled, ...tally, ...left, ...paceOf(pace, left) };
}

type Paced = Pick<NonNullable<Status["jobs"]>, "embedded_per_second" | "understood_per_second" | "seconds_left">;

/** Both kinds of work go side by side: what takes longer tells when all is done. */
function paceOf(
  { embedding, understanding }: Ctx["pace"],
  left: { readonly embedding_pending: number; readonly understanding_pending: number },
): Paced {
  const [embedded, understood] = [embedding.perSecond(), understanding.perSecond()];
  const times = [secondsFor(left.embedding_pending, embedded), secondsFor(left.understanding_pending, understood)];
  const known = times.filter((time) => time !== null);
  return {
    embedded_per_second: embedded && rounded(embedded),
    understood_per_second: understood && rounded(understood),
    seconds_left: known.length === times.length ? Math.ceil(Math.max(...known)) : null,
  };
}

const secondsFor = (rows: number, perSecond: number | null): number | null => {
  if (rows === 0) return 0;
  return perSecond === null ? null : rows / perSecond;
};

/** Counters of all tenants for the owner of the machine, of what it counts for a credential, and of nothing for anybody else. */
export async function counters(ctx: Ctx): Promise<Counters> {
  const { memories } = ctx.storage;
  const { owner, tenant_id } = ctx.principal;
  if (owner) return memories.counters();
  if (tenant_id === null) return { tenant_count: 0, memory_count: 0, agent_count: 0 };
  const { total, by_agent } = await memories.stats({ tenant_id, read_scope: countedScope(ctx) });
  return { tenant_count: Math.min(total, 1), memory_count: total, agent_count: Object.keys(by_agent).length };
}
