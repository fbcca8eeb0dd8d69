import { readScopeOf } from "../../access/read-scope.ts";
import { requireTenant } from "../../access/tenant.ts";
import { requireOwnIdentity } from "../../access/trust.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { ToldCounts } from "../../core/schema/observing/told.ts";
import { noSuchMemory } from "../permissions.ts";
import type { MemoryAddress } from "../read.ts";

/** How often a memory was told and used. Throws NOT_FOUND as reading the memory does. */
export async function getTold(ctx: Ctx, { tenant_id, memory_id, agent_id }: MemoryAddress): Promise<ToldCounts> {
  requireTenant(ctx, tenant_id);
  await requireOwnIdentity(ctx, agent_id);
  const memory = await ctx.storage.memories.get({ tenant_id, id: memory_id }, readScopeOf(ctx, agent_id));
  if (!memory) throw noSuchMemory();
  const telling = (await ctx.storage.tellings.of(tenant_id, [memory_id])).get(memory_id);
  return { memory_id, told: 0, watched: 0, used: 0, last_told_at: null, ...telling };
}
