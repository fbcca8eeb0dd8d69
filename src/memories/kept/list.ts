import { readScopeOf } from "../../access/read-scope.ts";
import { requireTenant } from "../../access/tenant.ts";
import { requireOwnIdentity } from "../../access/trust.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { KeptText } from "../../core/ports/keeping/kept-texts.ts";
import type { KeptTexts } from "../../core/schema/keeping/kept-text.ts";
import { noSuchMemory } from "../permissions.ts";
import type { MemoryAddress } from "../read.ts";

/** What a memory said before it was edited, the newest first. Throws NOT_FOUND as reading the memory does. */
export async function listTexts(ctx: Ctx, address: MemoryAddress): Promise<KeptTexts> {
  return { items: await textsOf(ctx, address) };
}

/** The same as they are stored. Throws NOT_FOUND. */
export async function textsOf(ctx: Ctx, { tenant_id, memory_id, agent_id }: MemoryAddress): Promise<KeptText[]> {
  requireTenant(ctx, tenant_id);
  await requireOwnIdentity(ctx, agent_id);
  const key = { tenant_id, id: memory_id };
  const read_scope = readScopeOf(ctx, agent_id);
  if (!(await ctx.storage.memories.get(key, read_scope))) throw noSuchMemory();
  return ctx.storage.keptTexts.of(key, read_scope);
}
