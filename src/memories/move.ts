import { actorOf } from "../access/actor.ts";
import { ADMINISTER, requireFleets, requireOwnIdentity, requireSharedWriter, requireTrust } from "../access/trust.ts";
import { decodeCursor, encodeCursor } from "../core/kernel/cursor.ts";
import { AppError } from "../core/kernel/errors.ts";
import { mapCooperatively, yieldToEventLoop } from "../core/kernel/event-loop.ts";
import { contentHash } from "../core/kernel/hash.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { MemoryFilter } from "../core/ports/memory-filter.ts";
import type { MemoryPatch, Placing } from "../core/ports/memory-store.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { firstMoment, lastMoment } from "../core/schema/common.ts";
import type { Destination, MovedItem, MovedReply, MoveFilter, MoveRequest } from "../core/schema/places/move.ts";
import { saidBy, textMatch } from "../text/words/text-match.ts";
import { jobsFor } from "./jobs.ts";
import { changeable, noSuchMemory, requireChangeOf } from "./permissions.ts";
import { oneFleet } from "./scope.ts";

/** How long one request goes on; what is left the next ones do. */
const REQUEST_MS = 2_000;
/** Rows moved in one transaction, at some milliseconds a row; between two, other callers get their turn. */
const ROWS_PER_STEP = 25;
/** Rows read at once where a text is looked for. */
const READ_PER_STEP = 100;
const BYTES_PER_STEP = 1024 * 1024;

/** Some of the rows that are meant, and where to go on; null where these are the last. */
interface Meant {
  readonly ids: readonly string[];
  readonly next: string | null;
}

/**
 * Moves memories to a fleet, or has them belong to everyone, for some seconds; the reply says where to go on. Each is moved as the
 * row that it is, or says why it stays. Throws what keeps the caller from writing there.
 */
export async function moveMemories(ctx: Ctx, request: MoveRequest): Promise<MovedReply> {
  const { tenant_id, to, dry_run, limit, ids, filter: asked } = request;
  const within = await changeable(ctx, tenant_id);
  requireTrust(ctx, 1, "move memories");
  requireDestination(ctx, to);
  await requireOwnIdentity(ctx, asked?.written_by);
  const filter = { ...within, ...narrowed(asked) };
  const batch = { actor: actorOf(ctx), jobsFor, dry_run, placing: (row: StoredMemory) => placingOf(ctx, row, to) };
  const items: MovedItem[] = [];
  const deadline = performance.now() + REQUEST_MS;
  let next: string | null = request.next ?? "";
  do {
    const most = Math.min(ROWS_PER_STEP, limit - items.length);
    const meant: Meant = ids
      ? namedFrom(ids, next, most)
      : await foundFrom(ctx, { filter, match: asked?.match }, next, most);
    const outcomes = await ctx.storage.memories.move({ ...batch, filter: { ...filter, ids: meant.ids } });
    const told = new Map(outcomes.map((one) => [one.id, one]));
    // What passed the filter a moment ago may be gone; what was named and is not there is told of.
    items.push(...meant.ids.flatMap((id): MovedItem[] => [told.get(id) ?? (ids ? notThere(id) : [])].flat()));
    next = meant.next;
    await yieldToEventLoop();
  } while (next !== null && items.length < limit && performance.now() < deadline);
  const moved = items.filter(({ outcome }) => outcome === "moved").length;
  return { dry_run, matched: items.length, moved, items, next };
}

const notThere = (id: string): MovedItem => ({ id, outcome: "refused", error: noSuchMemory().message });

const narrowed = (asked: MoveFilter = {}): Omit<MemoryFilter, "tenant_id"> => ({
  fleets: oneFleet(asked.fleet_id),
  no_fleet: asked.no_fleet,
  written_by: asked.written_by,
  run_id: asked.run_id,
  created_after: firstMoment(asked.created_after, asked.utc_offset_minutes),
  created_before: lastMoment(asked.created_before, asked.utc_offset_minutes),
});

/** The next of the ids that were named. */
function namedFrom(ids: readonly string[], at: string, most: number): Meant {
  if (!/^\d{0,4}$/.test(at)) throw unknownPlace();
  const named = [...new Set(ids)];
  const end = Number(at) + most;
  return { ids: named.slice(Number(at), end), next: end < named.length ? String(end) : null };
}

interface Sought {
  readonly filter: MemoryFilter;
  readonly match: string | undefined;
}

/** The next rows of a filter that hold a text, the newest first, so that what is written meanwhile is not gone through. */
async function foundFrom(ctx: Ctx, { filter, match }: Sought, at: string, most: number): Promise<Meant> {
  const after = at === "" ? null : decodeCursor(at);
  if (at !== "" && after === null) throw unknownPlace();
  const bounds = { limit: match === undefined ? most : READ_PER_STEP, bytes: BYTES_PER_STEP };
  const order = { sort: "created_at", order: "desc", after, offset: 0 } as const;
  const { items, more } = await ctx.storage.memories.page({ filter, ...order, ...bounds });
  const isHeld = match === undefined ? () => true : textMatch(match);
  const held = await mapCooperatively(items, (row) => isHeld(saidBy(row)));
  const all = items.filter((_, i) => held[i]);
  const meant = all.slice(0, most);
  const isCut = meant.length < all.length;
  const last = isCut ? meant.at(-1) : items.at(-1);
  return { ids: meant.map(({ id }) => id), next: (isCut || more) && last ? encodeCursor(last) : null };
}

const unknownPlace = (): AppError =>
  new AppError("BAD_REQUEST", "`next` is not what the reply before told. Leave it out to begin again.");

/** Where a row goes, as it is under the write lock; or why it stays. */
function placingOf(ctx: Ctx, row: StoredMemory, to: Destination): Placing {
  const place = placeIn(row, to);
  if (row.fleet_id === place.fleet_id && row.visibility === place.visibility) return { outcome: "already_there" };
  if ("everyone" in to && row.visibility === "scope_agent") return { outcome: "refused", error: PRIVATE };
  try {
    requireMoveOf(ctx, row);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { outcome: "refused", error: error.message };
  }
  return { outcome: "moved", patch: { ...place, ...movedTo(row, place.fleet_id) } };
}

const PRIVATE =
  "It is private to its author, and stays so. Change its visibility to scope_team first (PATCH), then move it to everyone.";

type Place = Pick<StoredMemory, "fleet_id" | "visibility">;

/** What all see becomes the fleet's that it is moved to; what lies there already stays as it is. */
function placeIn({ fleet_id, visibility }: StoredMemory, to: Destination): Place {
  if ("everyone" in to) return { fleet_id: null, visibility: "scope_org" };
  const isNew = fleet_id !== to.fleet_id;
  return { fleet_id: to.fleet_id, visibility: isNew && visibility === "scope_org" ? "scope_team" : visibility };
}

/** What was inferred goes: in another fleet the same names may mean others. */
const movedTo = (row: StoredMemory, fleet_id: string | null): MemoryPatch => ({
  content_hash: contentHash(row.tenant_id, fleet_id, row.content),
  entity_links: row.entity_links.filter(({ inferred }) => inferred !== true),
});

/** To write there is what the destination asks of the caller. Throws FLEET_SCOPE_FORBIDDEN. */
function requireDestination(ctx: Ctx, to: Destination): void {
  if ("everyone" in to) requireSharedWriter(ctx);
  else requireOwnFleet(ctx, to.fleet_id);
}

/** A move takes the trust of a change; and what others read is taken from them by who could have written it for them. */
function requireMoveOf(ctx: Ctx, row: StoredMemory): void {
  requireChangeOf(ctx, row);
  if (row.fleet_id !== null) requireOwnFleet(ctx, row.fleet_id);
  else if (row.visibility !== "scope_agent") requireSharedWriter(ctx);
}

/** Whoever is bound to an agent or a fleet moves within its own fleet alone, unless it administers. */
function requireOwnFleet(ctx: Ctx, fleet_id: string): void {
  const { principal } = ctx;
  if (principal.agent_id !== null || principal.fleet_id !== null) requireFleets(ctx, [fleet_id], ADMINISTER);
}
