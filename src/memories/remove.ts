import { actorOf } from "../access/actor.ts";
import { requireAdmin, requireOwnIdentity } from "../access/trust.ts";
import { toTimestamp } from "../core/kernel/clock.ts";
import { yieldToEventLoop } from "../core/kernel/event-loop.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { MemoryFilter } from "../core/ports/memory-filter.ts";
import type { Permit } from "../core/ports/memory-store.ts";
import type { Expected } from "../core/schema/common.ts";
import type { BulkDelete, Deleted, MatchingDeleteBody, MatchingDeleteQuery } from "../core/schema/memory-change.ts";
import { changeable, noSuchMemory, requireAsSeen, requireDelete } from "./permissions.ts";
import type { MemoryAddress } from "./read.ts";
import { graceMs } from "./restore.ts";
import { oneFleet } from "./scope.ts";

/** Rows deleted in one transaction, at some milliseconds a row; between two, other callers get their turn. */
const ROWS_PER_STEP = 25;

/** How a deletion is meant: hidden, to be restored or erased later; or erased for good. */
interface Meant {
  readonly erase?: boolean | undefined;
  readonly permit?: Permit | undefined;
}

/** A deletion that is done. */
export interface Removal {
  readonly removed: number;
  /** Names the deletion, for who wants to take it back; null for one that cannot be. */
  readonly deleted_at: string | null;
}

/** Deletes one memory: hidden everywhere but in lists that ask for deleted rows, or erased. Throws NOT_FOUND, ADMIN_REQUIRED, PRECONDITION_FAILED. */
export async function removeMemory(ctx: Ctx, input: MemoryAddress & Expected & Pick<Meant, "erase">): Promise<void> {
  const { tenant_id, memory_id, agent_id, erase } = input;
  const filter = { ...(await changeable(ctx, tenant_id, agent_id)), ids: [memory_id] };
  const { removed } = await removeAll(ctx, filter, { erase, permit: (memory) => requireAsSeen(input, memory) });
  if (removed === 0) throw noSuchMemory();
}

/** Deletion by ids; unknown and already deleted ones are not counted. Throws ADMIN_REQUIRED. */
export async function removeMemories(ctx: Ctx, { tenant_id, ids, agent_id, erase }: BulkDelete): Promise<Deleted> {
  const filter = { ...(await changeable(ctx, tenant_id, agent_id)), ids };
  const { removed } = await removeAll(ctx, filter, { erase });
  return { deleted: removed };
}

/** Deletes everything that matches, under one time; nothing matching is no error. Throws ADMIN_REQUIRED. */
export async function removeMatching(
  ctx: Ctx,
  { query, body }: { query: MatchingDeleteQuery; body: MatchingDeleteBody | null | undefined },
): Promise<Removal> {
  await requireOwnIdentity(ctx, query.agent_id);
  const filter = await changeable(ctx, query.tenant_id);
  const metadata = Object.entries(body?.metadata_filter ?? {}).map(([key, value]) => [key, String(value)] as const);
  const matching = {
    ...filter,
    fleets: oneFleet(query.fleet_id),
    written_by: query.agent_id,
    memory_types: query.memory_type === undefined ? undefined : [query.memory_type],
    statuses: query.status === undefined ? undefined : [query.status],
    exclude_ids: body?.exclude_ids ?? undefined,
    metadata: Object.fromEntries(metadata),
  };
  return removeAll(ctx, matching, query);
}

async function removeAll(ctx: Ctx, filter: MemoryFilter, { erase = false, permit }: Meant): Promise<Removal> {
  requireDelete(ctx);
  if (erase) requireAdmin(ctx);
  const { memories } = ctx.storage;
  const actor = actorOf(ctx);
  const deleted_at = erase ? null : toTimestamp(ctx.clock.now());
  const matching = { ...filter, include_deleted: erase };
  let removed = 0;
  for (const ids of await idsInSteps(ctx, matching)) {
    const step = { ...matching, statuses: undefined, ids };
    removed +=
      deleted_at === null
        ? await memories.erase(step, actor, ids.length, permit)
        : await memories.remove(step, actor, ids.length, { deleted_at, permit });
    await yieldToEventLoop();
  }
  if (deleted_at !== null && removed > 0) await eraseInTime(ctx, filter.tenant_id, deleted_at);
  return { removed, deleted_at };
}

/** Ids read at once. */
const IDS_PER_PAGE = 1_000;

/**
 * What matches when a deletion begins, in steps: deleting a row may give the one that it had superseded its status back, and
 * that one was never meant.
 */
async function idsInSteps(ctx: Ctx, filter: MemoryFilter): Promise<string[][]> {
  const steps: string[][] = [];
  for (let after = ""; ; ) {
    const ids = await ctx.storage.memories.ids(filter, after, IDS_PER_PAGE);
    for (let i = 0; i < ids.length; i += ROWS_PER_STEP) steps.push(ids.slice(i, i + ROWS_PER_STEP));
    if (ids.length < IDS_PER_PAGE) return steps;
    after = ids.at(-1) ?? after;
    await yieldToEventLoop();
  }
}

/** Has what was deleted erased when its grace is over, and not only when it is looked for the next time. */
async function eraseInTime(ctx: Ctx, tenant_id: string, deleted_at: string): Promise<void> {
  await ctx.storage.jobs.bringForward("memories_schedule", Date.parse(deleted_at) + (await graceMs(ctx, tenant_id)));
}
