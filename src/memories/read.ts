import { requireTenant } from "../access/tenant.ts";
import { reachOf } from "../access/visibility.ts";
import { decodeCursor, encodeCursor } from "../kernel/cursor.ts";
import { AppError } from "../kernel/errors.ts";
import type { Ctx } from "../ports/context.ts";
import type { MemoryFilter } from "../ports/memory-store.ts";
import type { MemoryDetail } from "../schema/memory.ts";
import { LIVE_STATUSES } from "../schema/memory.ts";
import type { MemoryCount, MemoryCountQuery, MemoryListQuery, MemoryPage } from "../schema/memory-query.ts";
import { toMemoryDetail, toMemoryView } from "./view.ts";

export interface MemoryAddress {
  readonly tenant_id: string;
  readonly memory_id: string;
  readonly agent_id?: string | undefined;
}

/** The same words whether a memory does not exist or must not be seen: a refusal confirms nothing. */
export const noSuchMemory = (): AppError => new AppError("NOT_FOUND", "No such memory.");

/** One memory by id. Throws NOT_FOUND when it is unknown, deleted, of another tenant or not visible. */
export async function getMemory(ctx: Ctx, { tenant_id, memory_id, agent_id }: MemoryAddress): Promise<MemoryDetail> {
  requireTenant(ctx, tenant_id);
  const key = { tenant_id, id: memory_id };
  const memory = await ctx.storage.memories.get(key, reachOf(ctx, agent_id));
  if (!memory) throw noSuchMemory();
  return toMemoryDetail(memory, await ctx.storage.memories.getVector(key));
}

/** One page of memories. Throws BAD_REQUEST for a cursor that is not ours or that meets another sort. */
export async function listMemories(ctx: Ctx, query: MemoryListQuery): Promise<MemoryPage> {
  const filter = listFilter(ctx, query);
  const after = query.cursor === undefined ? null : cursorEdge(query.cursor, query);
  const { sort, order, offset, limit } = query;
  const found = await ctx.storage.memories.list({ filter, sort, order, after, offset, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((memory) => toMemoryView(memory)),
    next_cursor: found.length > limit && last ? encodeCursor(last) : null,
  };
}

function cursorEdge(cursor: string, { sort, order }: MemoryListQuery) {
  if (sort !== "created_at" || order !== "desc") {
    throw new AppError("BAD_REQUEST", "A cursor works only with sort=created_at and order=desc. Use offset instead.");
  }
  const edge = decodeCursor(cursor);
  if (!edge) throw new AppError("BAD_REQUEST", "Invalid cursor.");
  return edge;
}

function listFilter(ctx: Ctx, query: MemoryListQuery): MemoryFilter {
  return {
    tenant_id: requireTenant(ctx, query.tenant_id),
    reach: reachOf(ctx, query.agent_id),
    written_by: query.written_by,
    fleets: oneFleet(query.fleet_id),
    memory_types: one(query.memory_type),
    exclude_memory_types: query.exclude_memory_types,
    statuses: one(query.status),
    visibility: query.visibility,
    run_id: query.run_id,
    weight_min: query.weight_min,
    weight_max: query.weight_max,
    created_after: query.created_after,
    created_before: query.created_before,
    include_deleted: query.include_deleted,
  };
}

const one = (word: string | undefined): string[] | undefined => (word === undefined ? undefined : [word]);

/** Rows of exactly this fleet. */
export const oneFleet = (fleet_id: string | undefined): MemoryFilter["fleets"] =>
  fleet_id === undefined ? undefined : { ids: [fleet_id], orShared: false };

/** How many memories the tenant has: the live ones, or exactly those of one status (deleted ones included). */
export async function countMemories(ctx: Ctx, query: MemoryCountQuery): Promise<MemoryCount> {
  const tenant_id = requireTenant(ctx, query.tenant_id);
  const statuses = query.status === undefined ? LIVE_STATUSES : [query.status];
  const fleets = oneFleet(query.fleet_id);
  const include_deleted = query.status === "deleted";
  return { count: await ctx.storage.memories.count({ tenant_id, fleets, statuses, include_deleted }) };
}
