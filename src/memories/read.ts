import { readScopeOf } from "../access/read-scope.ts";
import { requireTenant } from "../access/tenant.ts";
import { requireAdmin, requireOwnIdentity } from "../access/trust.ts";
import { decodeCursor, encodeCursor } from "../core/kernel/cursor.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { MemoryFilter } from "../core/ports/memory-filter.ts";
import type { FleetCount } from "../core/ports/memory-store.ts";
import { firstMoment, lastMoment } from "../core/schema/common.ts";
import type { MemoryDetail } from "../core/schema/memory.ts";
import { LIVE_STATUSES } from "../core/schema/memory.ts";
import type { ListReply, MemoryCount, MemoryCountQuery, MemoryListQuery } from "../core/schema/memory-query.ts";
import { isOfWholeTenant, noSuchMemory } from "./permissions.ts";
import { possibleChanges } from "./possible-changes.ts";
import { chosenFields, projected } from "./projection.ts";
import { placeOf, scopedFilter } from "./scope.ts";
import { supersededBy } from "./superseded-by.ts";
import { happenedIn, validAt } from "./valid-at.ts";
import { toMemoryDetail, toMemoryView } from "./view.ts";

export interface MemoryAddress {
  readonly tenant_id: string;
  readonly memory_id: string;
  readonly agent_id?: string | undefined;
}

/** One memory by id. Throws NOT_FOUND when it is unknown, deleted, of another tenant or not visible. */
export async function getMemory(ctx: Ctx, { tenant_id, memory_id, agent_id }: MemoryAddress): Promise<MemoryDetail> {
  requireTenant(ctx, tenant_id);
  await requireOwnIdentity(ctx, agent_id);
  const key = { tenant_id, id: memory_id };
  const read_scope = readScopeOf(ctx, agent_id);
  const memory = await ctx.storage.memories.get(key, read_scope);
  if (!memory) throw noSuchMemory();
  const superseded = await supersededBy(ctx, [memory], read_scope);
  const vector = await ctx.storage.memories.getVector(key);
  const ids = memory.entity_links.map(({ entity_id }) => entity_id);
  const entities = await ctx.storage.entities.describe(read_scope, { ids, bytes: ctx.limits.reply_bytes_limit });
  return toMemoryDetail(memory, { vector, entities, superseded: superseded.get(memory_id) });
}

/** One page of memories. Throws BAD_REQUEST for a cursor that is not ours or that meets another sort. */
export async function listMemories(ctx: Ctx, query: MemoryListQuery): Promise<ListReply> {
  const filter = await listFilter(ctx, query);
  const after = query.cursor === undefined ? null : cursorEdge(query.cursor, query);
  const { sort, order, offset, limit } = query;
  const bytes = ctx.limits.reply_bytes_limit;
  const { items: page, more } = await ctx.storage.memories.page({ filter, sort, order, after, offset, limit, bytes });
  const last = page.at(-1);
  const superseded = await supersededBy(ctx, page, readScopeOf(ctx, query.agent_id));
  const changed = await possibleChanges(ctx, page, readScopeOf(ctx, query.agent_id));
  const items = page.map((memory) =>
    toMemoryView(memory, { superseded_by: superseded.get(memory.id), may_have_changed: changed.get(memory.id) }),
  );
  return {
    ...(await projected(ctx, items, { tenant_id: filter.tenant_id, fields: chosenFields("listed", query) })),
    next_cursor: more && last ? encodeCursor(last) : null,
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

async function listFilter(ctx: Ctx, query: MemoryListQuery): Promise<MemoryFilter> {
  const scoped = await scopedFilter(ctx, query);
  return {
    ...scoped,
    fleets: scoped.fleets && { ...scoped.fleets, orShared: query.with_shared || query.shared_only },
    memory_types: one(query.memory_type),
    exclude_memory_types: query.exclude_memory_types,
    ...(query.valid_at === undefined ? {} : validAt(query.valid_at, query.utc_offset_minutes)),
    happened: happenedIn(query),
    ...(query.status === undefined ? {} : { statuses: [query.status] }),
    visibility: query.visibility,
    run_id: query.run_id,
    weight_min: query.weight_min,
    weight_max: query.weight_max,
    created_after: firstMoment(query.created_after, query.utc_offset_minutes),
    created_before: lastMoment(query.created_before, query.utc_offset_minutes),
    include_deleted: query.include_deleted,
  };
}

const one = (word: string | undefined): string[] | undefined => (word === undefined ? undefined : [word]);

/**
 * How many memories there are: the live ones, or exactly those of one status (deleted ones included). The fully
 * trusted credential of a tenant counts all of it, every other one what it sees.
 */
export async function countMemories(ctx: Ctx, query: MemoryCountQuery): Promise<MemoryCount> {
  const tenant_id = requireTenant(ctx, query.tenant_id);
  const read_scope = isOfWholeTenant(ctx) ? undefined : readScopeOf(ctx);
  const statuses = query.status === undefined ? LIVE_STATUSES : [query.status];
  const fleets = placeOf(query);
  const include_deleted = query.status === "deleted";
  return { count: await ctx.storage.memories.count({ tenant_id, read_scope, fleets, statuses, include_deleted }) };
}

/** Tenants that have memories. A standalone administrator sees all of them, every other one its own. */
export async function listTenants(ctx: Ctx): Promise<string[]> {
  const own = requireTenant(ctx);
  requireAdmin(ctx);
  const all = await ctx.storage.memories.tenants();
  return ctx.principal.auth_source === "standalone" ? all : all.filter((tenant_id) => tenant_id === own);
}

/** The fleets whose memories the caller sees, with how many of those there are, largest first; private ones are not counted. */
export function listFleets(ctx: Ctx, query: { tenant_id?: string | undefined }): Promise<FleetCount[]> {
  requireTenant(ctx, query.tenant_id);
  return ctx.storage.memories.fleets(readScopeOf(ctx));
}
