import { actorOf } from "../access/actor.ts";
import { membersOverLimit, metadataFault } from "../access/body-limits.ts";
import { mapCooperatively } from "../core/kernel/event-loop.ts";
import { newId } from "../core/kernel/ids.ts";
import { ignoredNames } from "../core/kernel/json.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { InsertOutcome, NewMemory } from "../core/ports/memory-store.ts";
import type { BulkResult, BulkWrite } from "../core/schema/memory.ts";
import { MemoryItem } from "../core/schema/memory.ts";
import type { BulkQuery } from "../core/schema/memory-query.ts";
import type { WriteScope } from "./draft.ts";
import { draftMemory, writeScope } from "./draft.ts";
import { jobsFor } from "./jobs.ts";
import { unembedded, waitForEmbedding } from "./unembedded.ts";
import { overLimit } from "./write.ts";

export interface BulkInput {
  readonly body: BulkWrite;
  /** Name of this attempt; a retry with the same name stores nothing twice. */
  readonly attempt_id: string | null;
  /** Items that could not be taken as they were sent, and why, by position. */
  readonly refused: ReadonlyMap<number, string>;
  /** Whether the reply waits until the rows are found by meaning. */
  readonly wait?: BulkQuery["wait"];
}

type ItemResult = BulkResult["results"][number];

/** An item that can be stored, or the reason why not. */
type Drafted = { readonly entry: NewMemory } | { readonly error: string };

/**
 * Stores up to 100 memories in one transaction; each item succeeds or fails alone. Vectors follow as a job, which the reply
 * waits for if it was asked to.
 */
export async function writeMemories(ctx: Ctx, { body, attempt_id, refused, wait }: BulkInput): Promise<BulkResult> {
  const startedAt = ctx.clock.now();
  const attempt = attempt_id ?? newId(ctx.clock);
  const scope = await writeScope(ctx, body);
  // Two agents may call their attempts alike; neither is told of the other's rows.
  const drafted = await mapCooperatively(body.items, (item, index): Drafted => {
    const error = refused.get(index);
    return error === undefined ? draftItem(ctx, scope, item, `${scope.agent_id} ${attempt}:${index}`) : { error };
  });
  const outcomes = await ctx.storage.memories.insert({
    entries: drafted.flatMap((draft) => ("entry" in draft ? [draft.entry] : [])),
    actor: actorOf(ctx),
    memories_limit: ctx.limits.memories_limit,
    jobsFor,
  });
  const stored = outcomes.values();
  const results = drafted.map((draft, index): ItemResult => {
    const base = { index, client_request_id: `${attempt}:${index}`, id: null, ...NOTHING };
    if ("error" in draft) return { ...base, status: "error", error: draft.error };
    return { ...base, ...itemOutcome(ctx, stored.next().value) };
  });
  const ids = results.flatMap(({ id }) => id ?? []);
  const pending = await (wait === "searchable" ? waitForEmbedding : unembedded)(ctx, scope.tenant_id, ids);
  const told = results.map((result) => ({ ...result, embedding_pending: pending.has(result.id ?? "") }));
  return tally(told, ctx.clock.now() - startedAt);
}

const NOTHING = { duplicate_of: null, error: null, embedding_pending: false };

function draftItem(ctx: Ctx, scope: WriteScope, item: unknown, client_request_id: string): Drafted {
  const parsed = MemoryItem.safeParse(item);
  if (!parsed.success)
    return { error: parsed.error.issues.map(({ path, message }) => named(path, message)).join("; ") };
  const crowded = membersOverLimit(ctx.limits, parsed.data.metadata);
  if (crowded) return { error: `metadata: ${crowded}` };
  const ignored = ignoredNames(item ?? {}, MemoryItem.shape);
  const itsScope = { ...scope, visibility: parsed.data.visibility ?? scope.visibility };
  const memory = draftMemory(ctx, itsScope, parsed.data, ignored);
  const fault = metadataFault(ctx.limits, memory.metadata);
  if (fault) return { error: `metadata: ${fault}` };
  return { entry: { memory, vectors: null, client_request_id } };
}

const named = (path: readonly PropertyKey[], message: string): string =>
  path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message;

function itemOutcome(ctx: Ctx, outcome: InsertOutcome | undefined): Pick<ItemResult, "status"> & Partial<ItemResult> {
  switch (outcome?.outcome) {
    case "created":
      return { status: "created", id: outcome.memory.id };
    case "duplicate_content":
      return { status: "duplicate_content", id: outcome.id, duplicate_of: outcome.id };
    case "duplicate_attempt":
      return { status: "duplicate_attempt", id: outcome.id };
    default:
      return { status: "error", error: overLimit(ctx).message };
  }
}

function tally(results: ItemResult[], tookMs: number): BulkResult {
  const count = (wanted: (result: ItemResult) => boolean) => results.filter(wanted).length;
  return {
    created: count(({ status }) => status === "created"),
    duplicates: count(({ status }) => status.startsWith("duplicate")),
    errors: count(({ status }) => status === "error"),
    results,
    bulk_ms: Math.round(tookMs),
  };
}
