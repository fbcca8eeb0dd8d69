import { actorOf } from "../access/actor.ts";
import { requireTenant } from "../access/tenant.ts";
import { reachOf } from "../access/visibility.ts";
import type { Ctx } from "../ports/context.ts";
import type { MemoryAddress } from "./read.ts";
import { noSuchMemory } from "./read.ts";

/** Soft delete of one memory: hidden everywhere but in lists that ask for deleted rows. Throws NOT_FOUND. */
export async function removeMemory(ctx: Ctx, { tenant_id, memory_id, agent_id }: MemoryAddress): Promise<void> {
  requireTenant(ctx, tenant_id);
  const key = { tenant_id, id: memory_id };
  const removed = await ctx.storage.memories.remove(key, reachOf(ctx, agent_id), actorOf(ctx));
  if (!removed) throw noSuchMemory();
}
