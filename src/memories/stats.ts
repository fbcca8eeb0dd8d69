import type { Ctx } from "../core/ports/context.ts";
import type { MemoryStats, MemoryStatsQuery } from "../core/schema/memory-query.ts";
import type { Usage } from "../core/schema/usage.ts";
import { scopedFilter } from "./scope.ts";

/**
 * Aggregates over what the caller sees. Without a scope, `agent_id` narrows them to that agent's own memories. Deleted
 * rows are only ever counted apart.
 */
export async function memoryStats(ctx: Ctx, query: MemoryStatsQuery): Promise<MemoryStats> {
  const filter = scopedFilter(ctx, query);
  return ctx.storage.memories.stats({
    ...filter,
    written_by: query.scope === undefined ? query.agent_id : filter.written_by,
    memory_types: query.memory_type === undefined ? undefined : [query.memory_type],
    statuses: query.status === undefined ? undefined : [query.status],
  });
}

/** What tells how much of its room a tenant uses. */
export interface UsageCtx extends Pick<Ctx, "limits"> {
  readonly storage: Pick<Ctx["storage"], "memories">;
}

/** How full the tenant's memory is: three integers, never negative. */
export async function usageOf(ctx: UsageCtx, tenant_id: string): Promise<Usage> {
  const memories_stored = await ctx.storage.memories.stored(tenant_id);
  const { memories_limit } = ctx.limits;
  return { memories_stored, memories_limit, writes_remaining: Math.max(0, memories_limit - memories_stored) };
}
