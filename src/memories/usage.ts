import type { Ctx } from "../core/ports/context.ts";
import type { Usage } from "../core/schema/usage.ts";

/** How full the tenant's memory is: three integers, never negative. */
export async function usageOf(ctx: Ctx, tenant_id: string): Promise<Usage> {
  const memories_stored = await ctx.storage.memories.stored(tenant_id);
  const { memories_limit } = ctx.limits;
  return { memories_stored, memories_limit, writes_remaining: Math.max(0, memories_limit - memories_stored) };
}
