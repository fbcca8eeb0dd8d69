import { actorOf } from "../access/actor.ts";
import { fromBase64 } from "../core/kernel/cursor.ts";
import { AppError } from "../core/kernel/errors.ts";
import { rounded } from "../core/kernel/text.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { FindingEdge, FoundConflict } from "../core/ports/contradiction-store.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { Conflict, ConflictListQuery, ConflictPage, ConflictReview } from "../core/schema/observing/conflict.ts";
import { OPEN_COUNT_MAX } from "../core/schema/observing/conflict.ts";
import { changeable, requireChangeOf } from "../memories/permissions.ts";
import { scopedFilter } from "../memories/scope.ts";
import { clashing } from "./read.ts";

/**
 * A page of what the detector found, newest first, as far as the reader sees both memories. Changes nothing. Throws BAD_REQUEST
 * for a cursor that is not ours, FLEET_SCOPE_FORBIDDEN.
 */
export async function listConflicts(ctx: Ctx, query: ConflictListQuery): Promise<ConflictPage> {
  const { state, limit, cursor } = query;
  const scoped = await scopedFilter(ctx, query);
  const { shared_only, with_shared } = query;
  const orShared = shared_only || with_shared;
  const filter = { ...scoped, fleets: scoped.fleets && { ...scoped.fleets, orShared } };
  const after = cursor === undefined ? null : edgeOf(cursor);
  const { contradictions } = ctx.storage;
  const bytes = ctx.limits.reply_bytes_limit;
  const { items, more } = await contradictions.conflicts({ filter, state, after, limit, bytes });
  const last = items.at(-1);
  const { open, waiting, possible } = await contradictions.countOpen(filter, OPEN_COUNT_MAX);
  return {
    items: items.map(toConflict),
    next_cursor: more && last ? cursorOf(last) : null,
    open_count: open,
    waiting_count: waiting,
    possible_count: possible,
  };
}

/**
 * Decides about the finding that two memories contradict each other, as far as the caller sees and may change both. Throws
 * NOT_FOUND where there is none, AGENT_TRUST_TOO_LOW, BAD_REQUEST where one that was taken back cannot stand any more.
 */
export async function reviewConflict(ctx: Ctx, body: ConflictReview): Promise<Conflict> {
  const { tenant_id, agent_id, newer_id, older_id, decision, reason = null } = body;
  const filter = await changeable(ctx, tenant_id, agent_id);
  const permit = (memory: StoredMemory) => requireChangeOf(ctx, memory);
  const review = { newer_id, older_id, filter, decision, reason, permit };
  const reviewed = await ctx.storage.contradictions.review(review, actorOf(ctx));
  if (!reviewed) throw new AppError("NOT_FOUND", "No such finding.");
  return toConflict(reviewed);
}

function toConflict(found: FoundConflict): Conflict {
  const { newer, older, newer_span, older_span, status, confidence, ...others } = found;
  return {
    newer,
    older,
    result: status,
    confidence: rounded(confidence),
    spans: { newer: clashing(newer, newer_span), older: clashing(older, older_span) },
    ...others,
  };
}

const cursorOf = ({ found_at, newer, older }: FoundConflict): string => btoa(`${found_at} ${newer.id} ${older.id}`);

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f-]{36}) ([0-9a-f-]{36})$/;

function edgeOf(cursor: string): FindingEdge {
  const [, found_at, newer_id, older_id] = CURSOR.exec(fromBase64(cursor)) ?? [];
  if (!found_at || !newer_id || !older_id) throw new AppError("BAD_REQUEST", "Invalid cursor.");
  return { found_at, newer_id, older_id };
}
