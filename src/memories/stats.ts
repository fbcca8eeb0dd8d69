import { requireTenant } from "../access/tenant.ts";
import { reachOf } from "../access/visibility.ts";
import type { Ctx } from "../ports/context.ts";
import type { MemoryStats, MemoryStatsQuery } from "../schema/memory-query.ts";
import { oneFleet } from "./read.ts";

/** Aggregates over what the caller sees; with `agent_id`, over that agent's own memories. Deleted rows only counted apart. */
export async function memoryStats(ctx: Ctx, query: MemoryStatsQuery): Promise<MemoryStats> {
  return ctx.storage.memories.stats({
    tenant_id: requireTenant(ctx, query.tenant_id),
    reach: reachOf(ctx, query.agent_id),
    written_by: query.agent_id,
    fleets: oneFleet(query.fleet_id),
    memory_types: query.memory_type === undefined ? undefined : [query.memory_type],
    statuses: query.status === undefined ? undefined : [query.status],
  });
}
