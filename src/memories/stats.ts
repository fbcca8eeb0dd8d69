import { countedScope } from "../access/counted.ts";
import type { Caller, Ctx } from "../core/ports/context.ts";
import type { MemoryStats, MemoryStatsQuery } from "../core/schema/memory-query.ts";
import type { Usage } from "../core/schema/usage.ts";
import { scopedFilter } from "./scope.ts";

/**
 * Aggregates over what the caller sees. Without a scope, `agent_id` narrows them to that agent's own memories. Deleted
 * rows are only ever counted apart.
 */
export async function memoryStats(ctx: Ctx, query: MemoryStatsQuery): Promise<MemoryStats> {
  const filter = await scopedFilter(ctx, query);
  return ctx.storage.memories.stats({
    ...filter,
    written_by: query.scope === undefined ? query.agent_id : filter.written_by,
    memory_types: query.memory_type === undefined ? undefined : [query.memory_type],
    statuses: query.status === undefined ? undefined : [query.status],
  });
}

/** What tells how much of its room a tenant uses. */
export interface UsageCtx extends Caller, Pick<Ctx, "limits"> {
  readonly storage: Pick<Ctx["storage"], "memories">;
}

/**
 * How full the tenant's memory is: three integers, never negative. Only of rows that the caller counts, so that nobody is told
 * of others' private ones; that the tenant is full shows to everyone, as the next write would tell.
 */
export async function usageOf(ctx: UsageCtx, tenant_id: string): Promise<Usage> {
  const { memories } = ctx.storage;
  const { memories_limit } = ctx.limits;
  const all = await memories.stored(tenant_id);
  const scope = countedScope(ctx);
  const memories_stored = scope === undefined ? all : await memories.stored(tenant_id, scope);
  const left = all >= memories_limit ? 0 : memories_limit - memories_stored;
  return { memories_stored, memories_limit, writes_remaining: Math.max(0, left) };
}
