import { actorOf } from "../access/actor.ts";
import { requireMembersFit, requireMetadataFits } from "../access/body-limits.ts";
import { readScopeOf } from "../access/read-scope.ts";
import { AppError } from "../core/kernel/errors.ts";
import { contentHash } from "../core/kernel/hash.ts";
import type { JsonObject } from "../core/kernel/json.ts";
import { mergeTop } from "../core/kernel/json.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { MemoryFilter } from "../core/ports/memory-filter.ts";
import type { MemoryChange, MemoryPatch } from "../core/ports/memory-store.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { Expected } from "../core/schema/common.ts";
import type { Memory } from "../core/schema/memory.ts";
import { LIVE_STATUSES } from "../core/schema/memory.ts";
import type { MemoryPatchBody, MemoryPatchQuery, StatusChange, StatusChanged } from "../core/schema/memory-change.ts";
import { withEmbedTimeout } from "../text/embed-with-timeout.ts";
import { withoutPlatformKeys } from "./draft.ts";
import { embedJobs, embedMemories } from "./embed.ts";
import { inferOpen } from "./infer.ts";
import type { Inferable } from "./inferred-fields.ts";
import { INFERABLE, inferredOf, metadataAfterSetting, withoutInference } from "./inferred-fields.ts";
import { jobsFor, understandJobs } from "./jobs.ts";
import { changeable, noSuchMemory, requireAsSeen, requireChangeOf } from "./permissions.ts";
import type { MemoryAddress } from "./read.ts";
import { removeMemory } from "./remove.ts";
import { usageOf } from "./stats.ts";
import { supersededBy } from "./superseded-by.ts";
import { toMemoryView } from "./view.ts";
import { DEFERRED } from "./write.ts";

export interface PatchInput extends Expected {
  readonly memory_id: string;
  readonly query: MemoryPatchQuery;
  readonly body: MemoryPatchBody;
}

/**
 * Changes the named fields of one memory. A changed content is embedded again before the reply. Throws BAD_REQUEST when
 * there is nothing to change, INVALID_ARGUMENTS for `metadata_mode` without metadata, NOT_FOUND, DUPLICATE_MEMORY, and
 * PRECONDITION_FAILED.
 */
export async function patchMemory(ctx: Ctx, { memory_id, query, body, if_match }: PatchInput): Promise<Memory> {
  const filter = { ...(await changeable(ctx, query.tenant_id, query.agent_id)), ids: [memory_id] };
  const mode = metadataMode(query, body);
  requireMembersFit(ctx, body.metadata);
  const updated = await ctx.storage.memories.update(filter, actorOf(ctx), (current) => {
    requireChangeOf(ctx, current);
    requireAsSeen({ if_match }, current);
    const change = decideChange(current, body, { mode, now: ctx.clock.now() });
    if (body.metadata) requireMetadataFits(ctx, change.patch.metadata ?? null);
    return change;
  });
  if (!updated) throw noSuchMemory();
  if (updated.after.embedded_by === null) await embedNow(ctx, updated.after);
  const [stored] = await ctx.storage.memories.list({
    filter: { tenant_id: query.tenant_id, ids: [memory_id] },
    sort: "created_at",
    order: "desc",
    after: null,
    offset: 0,
    limit: 1,
  });
  const memory = stored ?? updated.after;
  const superseded = await supersededBy(ctx, [memory], readScopeOf(ctx, query.agent_id));
  const usage = await usageOf(ctx, query.tenant_id);
  return toMemoryView(memory, { usage, superseded_by: superseded.get(memory_id) });
}

function metadataMode(query: MemoryPatchQuery, body: MemoryPatchBody): "merge" | "replace" {
  const { metadata_mode, ...fields } = body;
  const mode = metadata_mode ?? query.metadata_mode;
  if (mode !== undefined && body.metadata === undefined) {
    throw new AppError("INVALID_ARGUMENTS", "metadata_mode says how to apply metadata, but the body has no metadata.", {
      loc: [metadata_mode === undefined ? "query" : "body", "metadata_mode"],
    });
  }
  if (Object.values(fields).every((value) => value === undefined)) {
    throw new AppError("BAD_REQUEST", "No fields to update.");
  }
  if (body.metadata === null && mode !== "replace") {
    throw new AppError("BAD_REQUEST", "metadata null clears it only with metadata_mode=replace.");
  }
  return mode ?? "merge";
}

export interface PatchRules {
  readonly mode: "merge" | "replace";
  /** What "tomorrow" in a new content counts from, in epoch milliseconds. */
  readonly now: number;
}

/** What a patch does to a row as it stands under the write lock; pure. */
export function decideChange(current: StoredMemory, body: MemoryPatchBody, { mode, now }: PatchRules): MemoryChange {
  const { metadata, metadata_mode: _mode, entity_links: _links, content, ...plain } = body;
  const set = definedOnly(plain);
  const patch: MemoryPatch = {
    ...set,
    ...(metadata === undefined ? {} : { metadata: newMetadata(current, metadata, mode) }),
    ...linksPatch(current, body),
  };
  const action = "memory.update";
  if (content === undefined || content === current.content) {
    const system_metadata = metadataAfterSetting(current, Object.keys(set));
    const told = { ...patch, ...(system_metadata ? { system_metadata } : {}) };
    return {
      patch: told,
      action,
      ...keptOf(current, told),
      ...(isShownAnew(current, body) ? { jobs: understandJobs([current]) } : {}),
    };
  }
  const rewritten = { ...contentPatch(current, content), ...inferAnew(current, { content, now }, set), ...patch };
  return {
    patch: rewritten,
    vectors: null,
    jobs: jobsFor([{ ...current, ...rewritten }]),
    action,
    ...keptOf(current, rewritten),
  };
}

/** What a change of words has kept: the text, and a title that somebody gave it. */
function keptOf(current: StoredMemory, { content = current.content, title }: MemoryPatch): Pick<MemoryChange, "keeps"> {
  const given = inferredOf(current).includes("title") ? null : current.title;
  const losesTitle = title !== undefined && given !== null && title !== given;
  return content !== current.content || losesTitle ? { keeps: { content: current.content, title: given } } : {};
}

const isOvertaken = ({ status }: StoredMemory): boolean => status === "outdated" || status === "conflicted";

/** A new text is a new statement: it has no vector yet, and what was found about the old one no longer holds. */
function contentPatch(current: StoredMemory, content: string): MemoryPatch {
  return {
    content,
    content_hash: contentHash(current.tenant_id, current.fleet_id, content),
    embedded_by: null,
    supersedes_id: null,
    ...(isOvertaken(current) ? { status: "active" } : {}),
  };
}

/** Reads from the new text what was read from the old one, and what was empty; what a caller has set stays. */
function inferAnew(
  current: StoredMemory,
  { content, now }: { content: string; now: number },
  set: MemoryPatch,
): MemoryPatch {
  const inferred = inferredOf(current);
  const isOpen = (field: Inferable) =>
    !(field in set) &&
    (current[field] === null || (inferred.includes(field) && !(field === "status" && isSettled(current))));
  const kept = Object.fromEntries(INFERABLE.filter((field) => !isOpen(field)).map((field) => [field, current[field]]));
  const { fields, told } = inferOpen(content, { ...kept, ...set }, now);
  const changed = INFERABLE.filter((field) => isOpen(field) && fields[field] !== current[field]);
  const found = Object.fromEntries(changed.map((field) => [field, fields[field]]));
  return { ...found, system_metadata: { ...withoutInference(current), ...told } };
}

/** Neither live nor superseded: somebody withdrew the row, and a new text does not bring it back. */
const isSettled = (current: StoredMemory): boolean => !LIVE_STATUSES.includes(current.status) && !isOvertaken(current);

function newMetadata(current: StoredMemory, metadata: JsonObject | null, mode: "merge" | "replace"): JsonObject | null {
  if (metadata === null) return null;
  const own = withoutPlatformKeys(metadata);
  return mode === "replace" ? own : mergeTop(current.metadata, own);
}

/** Other readers may know fewer of the names that a row's entities go by. */
const isShownAnew = (current: StoredMemory, { visibility }: MemoryPatchBody): boolean =>
  visibility !== undefined && visibility !== current.visibility;

/** A caller's links are added to those there are; what was inferred goes with the text and the readers it was inferred for. */
function linksPatch(current: StoredMemory, body: MemoryPatchBody): MemoryPatch {
  const { entity_links: sent = [], content = current.content } = body;
  const isStale = content !== current.content || isShownAnew(current, body);
  const own = current.entity_links.filter(({ inferred }) => inferred !== true);
  const known = new Set(own.map(({ entity_id }) => entity_id));
  const callers = [...own, ...sent.filter(({ entity_id }) => !known.has(entity_id))];
  const said = new Set(callers.map(({ entity_id }) => entity_id));
  const inferred = current.entity_links.filter((link) => link.inferred === true && !said.has(link.entity_id));
  const links = isStale ? callers : [...callers, ...inferred];
  const isSame = links.length === current.entity_links.length && callers.length === own.length;
  return isSame ? {} : { entity_links: links };
}

/** Keeps the members that were sent, null included. */
const definedOnly = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  // Safe: only members whose value is undefined are taken out.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

async function embedNow(ctx: Ctx, memory: StoredMemory): Promise<void> {
  await withEmbedTimeout(ctx, DEFERRED, async ({ signal }) => {
    for (const job of embedJobs([memory])) await embedMemories(ctx, { ...job, signal }, "interactive");
  });
}

/** Moves one memory to a status by hand; `deleted` deletes it. Throws NOT_FOUND, PRECONDITION_FAILED. */
export async function changeStatus(
  ctx: Ctx,
  address: MemoryAddress & Expected,
  { status }: StatusChange,
): Promise<StatusChanged> {
  const { tenant_id, memory_id, agent_id } = address;
  const filter = { ...(await changeable(ctx, tenant_id, agent_id)), ids: [memory_id] };
  if (status === "deleted") return deleteAsStatus(ctx, address, filter);
  const updated = await ctx.storage.memories.update(filter, actorOf(ctx), (current) => {
    requireChangeOf(ctx, current);
    requireAsSeen(address, current);
    const system_metadata = metadataAfterSetting(current, ["status"]);
    const patch = { status, ...(system_metadata ? { system_metadata } : {}) };
    return { patch, action: "memory.status", reason: "set by the caller" };
  });
  if (!updated) throw noSuchMemory();
  return { memory_id, old_status: updated.before.status, new_status: status };
}

async function deleteAsStatus(
  ctx: Ctx,
  address: MemoryAddress & Expected,
  filter: MemoryFilter,
): Promise<StatusChanged> {
  const [current] = await ctx.storage.memories.list({
    filter,
    sort: "created_at",
    order: "desc",
    after: null,
    offset: 0,
    limit: 1,
  });
  await removeMemory(ctx, address);
  return { memory_id: address.memory_id, old_status: current?.status ?? "active", new_status: "deleted" };
}
