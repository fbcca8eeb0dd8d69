import { readScopeOf } from "../../access/read-scope.ts";
import { requireTenant } from "../../access/tenant.ts";
import { requireOwnIdentity } from "../../access/trust.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import { preview, rounded } from "../../core/kernel/text.ts";
import type { Ctx } from "../../core/ports/context.ts";
import { LIVE_STATUSES } from "../../core/schema/memory.ts";
import type { SimilarReply } from "../../core/schema/memory-query.ts";
import { noSuchMemory } from "../permissions.ts";
import type { MemoryAddress } from "../read.ts";
import { cosineOfSameness } from "./sameness.ts";

/** How same two texts are that say nearly the same (`cosineOfSameness`); so is the same sentence about another thing. */
const NEAR = 0.6;
const NEIGHBOURS = 16;
const SHOWN = 5;
const PREVIEW_LENGTH = 200;

/**
 * Live memories that say nearly the same as one, nearest first, five at most: of its fleet and of what is shared. Counts as no
 * recall. Throws NOT_FOUND when the memory is unknown, deleted, of another tenant or not visible.
 */
export async function similarMemories(ctx: Ctx, address: MemoryAddress): Promise<SimilarReply> {
  const { tenant_id, memory_id, agent_id } = address;
  requireTenant(ctx, tenant_id);
  await requireOwnIdentity(ctx, agent_id);
  const read_scope = readScopeOf(ctx, agent_id);
  const key = { tenant_id, id: memory_id };
  const memory = await ctx.storage.memories.get(key, read_scope);
  if (!memory) throw noSuchMemory();
  const values = memory.embedded_by === ctx.embedder.id ? await ctx.storage.memories.getVector(key) : null;
  if (values === null) return { memory_id, searchable: false, items: [] };
  const { fleet_id } = memory;
  const { hits } = await ctx.storage.memories.hits({
    filter: {
      tenant_id,
      read_scope,
      fleets: { ids: fleet_id === null ? [] : [fleet_id], orShared: true },
      statuses: LIVE_STATUSES,
      unexpired_at: toTimestamp(ctx.clock.now()),
      exclude_ids: [memory_id],
    },
    vector: { embedder_id: ctx.embedder.id, values },
    words: [],
    pool: NEIGHBOURS,
  });
  const least = cosineOfSameness(ctx.embedder.calibration, NEAR);
  const near = hits.flatMap(({ memory: row, vec_sim }) =>
    vec_sim !== null && vec_sim >= least ? [{ row, vec_sim }] : [],
  );
  const items = near
    .sort((a, b) => b.vec_sim - a.vec_sim)
    .slice(0, SHOWN)
    .map(({ row, vec_sim }) => ({
      id: row.id,
      content_preview: preview(row.content, PREVIEW_LENGTH),
      status: row.status,
      created_at: row.created_at,
      similarity: rounded(vec_sim),
    }));
  return { memory_id, searchable: true, items };
}
