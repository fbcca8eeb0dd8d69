import { actorOf } from "../access/actor.ts";
import { requireOwnIdentity } from "../access/trust.ts";
import { turn } from "../kernel/turns.ts";
import type { Ctx } from "../ports/context.ts";
import type { MemoryFilter } from "../ports/memory-filter.ts";
import type { BulkDelete, Deleted, MatchingDeleteBody, MatchingDeleteQuery } from "../schema/memory-change.ts";
import type { MemoryAddress } from "./read.ts";
import { changeable, noSuchMemory, requireDelete } from "./rights.ts";
import { oneFleet } from "./scope.ts";

/** Rows deleted in one transaction; between two, other callers get their turn. */
const ROWS_PER_STEP = 200;

/** Soft delete of one memory: hidden everywhere but in lists that ask for deleted rows. Throws NOT_FOUND. */
export async function removeMemory(ctx: Ctx, { tenant_id, memory_id, agent_id }: MemoryAddress): Promise<void> {
  const filter = changeable(ctx, tenant_id, agent_id);
  requireDelete(ctx);
  const removed = await ctx.storage.memories.remove({ ...filter, ids: [memory_id] }, actorOf(ctx), 1);
  if (removed === 0) throw noSuchMemory();
}

/** Soft delete by ids; unknown and already deleted ones are not counted. */
export async function removeMemories(ctx: Ctx, { tenant_id, ids, agent_id }: BulkDelete): Promise<Deleted> {
  const filter = changeable(ctx, tenant_id, agent_id);
  requireDelete(ctx);
  return { deleted: await removeAll(ctx, { ...filter, ids }) };
}

/** Soft delete of everything that matches; nothing matching is no error. */
export async function removeMatching(
  ctx: Ctx,
  { query, body }: { query: MatchingDeleteQuery; body: MatchingDeleteBody | null | undefined },
): Promise<void> {
  requireOwnIdentity(ctx, query.agent_id);
  const filter = changeable(ctx, query.tenant_id);
  requireDelete(ctx);
  const metadata = Object.entries(body?.metadata_filter ?? {}).map(([key, value]) => [key, String(value)] as const);
  await removeAll(ctx, {
    ...filter,
    fleets: oneFleet(query.fleet_id),
    written_by: query.agent_id,
    memory_types: query.memory_type === undefined ? undefined : [query.memory_type],
    statuses: query.status === undefined ? undefined : [query.status],
    exclude_ids: body?.exclude_ids ?? undefined,
    metadata: Object.fromEntries(metadata),
  });
}

async function removeAll(ctx: Ctx, filter: MemoryFilter): Promise<number> {
  const actor = actorOf(ctx);
  for (let removed = 0; ; ) {
    const step = await ctx.storage.memories.remove(filter, actor, ROWS_PER_STEP);
    removed += step;
    if (step < ROWS_PER_STEP) return removed;
    await turn();
  }
}
