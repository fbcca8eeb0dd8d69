import { actorOf } from "../access/actor.ts";
import { requireOwnIdentity } from "../access/trust.ts";
import { DAY_MS, toTimestamp } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import { yieldToEventLoop } from "../core/kernel/event-loop.ts";
import type { Ctx, Services } from "../core/ports/context.ts";
import type { MemoryFilter } from "../core/ports/memory-filter.ts";
import type { RestoreOutcome } from "../core/ports/memory-store.ts";
import { firstMoment, lastMoment } from "../core/schema/common.ts";
import type { Memory } from "../core/schema/memory.ts";
import type { MatchingRestore, Restored } from "../core/schema/memory-change.ts";
import { OrgSettings } from "../core/schema/settings.ts";
import { jobsFor } from "./jobs.ts";
import { duplicate } from "./likeness/near-duplicate.ts";
import { changeable, noSuchMemory, requireDelete } from "./permissions.ts";
import type { MemoryAddress } from "./read.ts";
import { oneFleet } from "./scope.ts";
import { usageOf } from "./stats.ts";
import { toMemoryView } from "./view.ts";
import { overLimit } from "./write.ts";

/** Rows restored in one transaction; between two, other callers get their turn. */
const ROWS_PER_STEP = 50;

/** How long a tenant's deleted rows can be brought back, in milliseconds. */
export async function graceMs({ storage }: Pick<Services, "storage">, tenant_id: string): Promise<number> {
  const { memories } = OrgSettings.parse(await storage.settings.get(tenant_id));
  return memories.deleted_grace_days * DAY_MS;
}

/** Rows that were deleted before this moment are beyond recall. */
export const graceStart = async (services: Pick<Services, "storage" | "clock">, tenant_id: string) =>
  toTimestamp(services.clock.now() - (await graceMs(services, tenant_id)));

/**
 * Brings a deleted memory back as it was. Throws NOT_FOUND when none is deleted under this id within its grace,
 * DUPLICATE_MEMORY when a live row says the same by now, PLAN_LIMIT_READ_ONLY when the tenant is full.
 */
export async function restoreMemory(ctx: Ctx, { tenant_id, memory_id, agent_id }: MemoryAddress): Promise<Memory> {
  const filter = await changeable(ctx, tenant_id, agent_id);
  requireDelete(ctx);
  const deleted = { from: await graceStart(ctx, tenant_id) };
  const { outcomes } = await ctx.storage.memories.restore({
    ...batchOf(ctx, { ...filter, ids: [memory_id], deleted }),
  });
  const [found] = outcomes;
  if (!found) throw noSuchMemory();
  if (found.outcome === "over_limit") throw overLimit(ctx);
  if (found.outcome === "duplicate_content") throw duplicate(found.existing_id);
  return toMemoryView(found.memory, { usage: await usageOf(ctx, tenant_id) });
}

/** Takes deletions back, all of a moment or a stretch of time or those among them that match; twins and what lacks room are passed over. */
export async function restoreMatching(ctx: Ctx, body: MatchingRestore): Promise<Restored> {
  await requireOwnIdentity(ctx, body.agent_id);
  const filter = await changeable(ctx, body.tenant_id);
  requireDelete(ctx);
  const began = await graceStart(ctx, body.tenant_id);
  const since = body.deleted_at ?? firstMoment(body.deleted_since, body.utc_offset_minutes);
  if (since === undefined)
    throw new AppError("BAD_REQUEST", "Name the deletion: deleted_at (its X-Deleted-At), or deleted_since.");
  return restoreAll(ctx, {
    ...filter,
    deleted: {
      from: since > began ? since : began,
      until: body.deleted_at ?? lastMoment(body.deleted_until, body.utc_offset_minutes),
    },
    fleets: oneFleet(body.fleet_id),
    written_by: body.agent_id,
    memory_types: body.memory_type === undefined ? undefined : [body.memory_type],
    exclude_ids: body.exclude_ids,
  });
}

const batchOf = (ctx: Ctx, filter: MemoryFilter) => ({
  filter,
  actor: actorOf(ctx),
  memories_limit: ctx.limits.memories_limit,
  jobsFor,
  limit: ROWS_PER_STEP,
  after: null,
});

async function restoreAll(ctx: Ctx, filter: MemoryFilter): Promise<Restored> {
  const tally = { restored: 0, duplicates: 0, over_limit: 0 };
  for (let after: number | null = null; ; ) {
    const { outcomes, next } = await ctx.storage.memories.restore({ ...batchOf(ctx, filter), after });
    for (const { outcome } of outcomes) tally[COUNTED[outcome]]++;
    if (next === null) break;
    after = next;
    await yieldToEventLoop();
  }
  if (tally.restored === 0 && tally.over_limit > 0) throw overLimit(ctx);
  return tally;
}

const COUNTED: Readonly<Record<RestoreOutcome["outcome"], keyof Restored>> = {
  restored: "restored",
  duplicate_content: "duplicates",
  over_limit: "over_limit",
};
