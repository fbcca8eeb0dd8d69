import { actorOf } from "../access/actor.ts";
import { requireMembersFit, requireMetadataFits } from "../access/body-limits.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { JsonObject } from "../core/kernel/json.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { CorrectedRow, RowVectors } from "../core/ports/memory-store.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { Memory, MemoryWrite } from "../core/schema/memory.ts";
import { withEmbedTimeout } from "../text/embed-with-timeout.ts";
import type { WriteScope } from "./draft.ts";
import { draftMemory, writeScope } from "./draft.ts";
import { embedRows } from "./embed.ts";
import { jobsFor } from "./jobs.ts";
import { duplicate, refuseNearDuplicate } from "./likeness/near-duplicate.ts";
import { usageOf } from "./stats.ts";
import { toMemoryView } from "./view.ts";

/** Types whose twice-written copy does harm: `auto` writes them in strong mode. */
const WEIGHTY_TYPES = ["decision", "commitment", "cancellation"];

export interface WriteInput {
  readonly body: MemoryWrite;
  /** Names of body fields that no schema knows; reported back, never refused. */
  readonly ignored: readonly string[];
  /** Name of the request; one that stored a row and died before its reply is answered with that row. */
  readonly attempt: string | null;
  /** Where it goes, whatever its author's home is and the body says. */
  readonly place?: Pick<WriteScope, "fleet_id" | "visibility">;
  /** The row that it is written in place of. */
  readonly corrects?: CorrectedRow;
  /** What Cairn itself keeps beside the row, where no caller writes. */
  readonly kept?: JsonObject;
}

export interface Written {
  readonly memory: Memory;
  /** It was stored by an earlier run of the same request. */
  readonly replayed: boolean;
}

/**
 * Stores one memory with its vector. Throws DUPLICATE_MEMORY when a live row of the same author says the same to the same
 * readers, PLAN_LIMIT_READ_ONLY when the tenant is full; nothing is stored then.
 *
 * @example
 * const { memory } = await writeMemory(ctx, { body: { tenant_id, content: "We deploy on Tuesdays." }, ignored: [], attempt: null })
 */
export async function writeMemory(ctx: Ctx, input: WriteInput): Promise<Written> {
  const scope = { ...(await writeScope(ctx, input.body)), ...input.place };
  const { tenant_id } = scope;
  const stored = input.attempt === null ? null : await ctx.storage.memories.ofRequest(tenant_id, input.attempt);
  const memory = stored ?? (await storeMemory(ctx, scope, input));
  return { memory: toMemoryView(memory, { usage: await usageOf(ctx, tenant_id) }), replayed: stored !== null };
}

async function storeMemory(
  ctx: Ctx,
  scope: WriteScope,
  { body, ignored, attempt, corrects, kept }: WriteInput,
): Promise<StoredMemory> {
  requireMembersFit(ctx, body.metadata);
  const drafted = draftMemory(ctx, scope, body, ignored);
  const draft = { ...drafted, system_metadata: { ...drafted.system_metadata, ...kept } };
  requireMetadataFits(ctx, draft.metadata);
  const vectors = await embedNow(ctx, draft);
  const memory = { ...draft, embedded_by: vectors ? ctx.embedder.id : null };
  if (vectors && isStrong(body)) await refuseNearDuplicate(ctx, memory, vectors.own);
  if (body.persist === false) return memory;
  const [result] = await ctx.storage.memories.insert({
    entries: [{ memory, vectors, client_request_id: attempt }],
    actor: actorOf(ctx),
    memories_limit: ctx.limits.memories_limit,
    jobsFor,
    ...(corrects ? { corrects } : {}),
  });
  if (result?.outcome === "over_limit") throw overLimit(ctx);
  if (result?.outcome !== "created") throw duplicate(result?.id ?? "");
  return result.memory;
}

const isStrong = ({ write_mode, memory_type }: MemoryWrite): boolean =>
  write_mode === "strong" || (write_mode === "auto" && WEIGHTY_TYPES.includes(memory_type ?? ""));

/** The vectors, or null when the model is late or broken: the row is then stored and found by keyword meanwhile. */
async function embedNow(ctx: Ctx, memory: StoredMemory): Promise<RowVectors | null> {
  const previous = memory.run_id === null ? null : await ctx.storage.memories.lastOfRun(memory);
  const embedded = await withEmbedTimeout(ctx, DEFERRED, (options) => embedRows(ctx, [{ memory, previous }], options));
  return embedded?.[0] ?? null;
}

/** Without vectors in time, a row is stored and embedded as a job. */
export const DEFERRED = { role: "passage", instead: "embedding deferred" } as const;

/** The refusal of a full tenant, for single writes and bulk items alike. */
export const overLimit = (ctx: Ctx): AppError =>
  new AppError(
    "PLAN_LIMIT_READ_ONLY",
    `The limit of ${ctx.limits.memories_limit} memories is reached: nothing was stored. Delete memories or raise CAIRN_MEMORIES_LIMIT.`,
    { memories_limit: ctx.limits.memories_limit },
  );
