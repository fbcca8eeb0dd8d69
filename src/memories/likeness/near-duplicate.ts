import { toTimestamp } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { isSilent } from "../../core/kernel/vectors.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import { LIVE_STATUSES } from "../../core/schema/memory.ts";
import { fold } from "../../text/words/letters.ts";
import { cosineOfSameness } from "./sameness.ts";

/** How same two rows are that may say the same (`cosineOfSameness`); with the same significant terms they do. */
const NEAR = 0.65;
/** Neighbours looked at. */
const NEIGHBOURS = 16;
/** Words that change nothing of what a statement says; all others do: "not", "down", "may", "was", "she". */
const SMALL = new Set(
  "a an the this that these those is are am be been being has have having do does also just so such very too it its there".split(
    " ",
  ),
);

/**
 * Refuses a row that says what a live row with the same readers already says: near in meaning, and made of the same
 * significant terms in the same order, so that another number, name, "not", or who did it to whom, is always a new statement.
 * A silent vector is near to nothing. Throws DUPLICATE_MEMORY.
 */
export async function refuseNearDuplicate(ctx: Ctx, draft: StoredMemory, vector: Float32Array): Promise<void> {
  if (isSilent(vector)) return;
  const { tenant_id, agent_id, fleet_id } = draft;
  const read_scope = { tenant_id, agent_id, fleets: fleet_id === null ? [] : [fleet_id] };
  const { hits } = await ctx.storage.memories.hits({
    filter: {
      tenant_id,
      read_scope,
      visibility: draft.visibility,
      statuses: LIVE_STATUSES,
      unexpired_at: toTimestamp(ctx.clock.now()),
    },
    vector: { embedder_id: ctx.embedder.id, values: vector },
    words: [],
    pool: NEIGHBOURS,
  });
  const words = significantWords(draft.content);
  const least = cosineOfSameness(ctx.embedder.calibration, NEAR);
  const alike = hits.filter(
    ({ memory, vec_sim }) => (vec_sim ?? 0) >= least && significantWords(memory.content) === words,
  );
  const similarity = new Map(alike.map(({ memory, vec_sim }) => [memory.id, vec_sim]));
  const rows = await ctx.storage.memories.several(read_scope, [...similarity.keys()]);
  const twins = rows.filter(({ fleet_id }) => fleet_id === draft.fleet_id);
  const copy = twins.find((memory) => isCopy(memory, draft));
  if (copy) throw duplicate(copy.id);
  const [twin] = twins;
  if (!twin) return;
  const existing_id = twin.id;
  throw new AppError("DUPLICATE_MEMORY", `Near-duplicate memory exists: ${existing_id}`, {
    existing_id,
    reason: "semantic_similarity",
    similarity: similarity.get(existing_id),
  });
}

/** The same text of the same author, which an insert would refuse too. */
const isCopy = (memory: StoredMemory, draft: StoredMemory): boolean =>
  memory.content_hash === draft.content_hash && memory.agent_id === draft.agent_id;

/** The refusal of an exact duplicate. */
export const duplicate = (existing_id: string): AppError =>
  new AppError("DUPLICATE_MEMORY", `Duplicate memory exists: ${existing_id}`, {
    existing_id,
    reason: "exact_content_hash",
  });

/** A text without its small words and the punctuation around words; signs and points within numbers stay. */
export const significantWords = (content: string): string =>
  fold(content)
    .replace(/n['’]t\b/g, " not")
    .split(/\s+/)
    .map((word) => word.replace(/^["'“‘«([]+|(?<!["'”’»)\].,;:!])["'”’»)\].,;:!]+$/g, ""))
    .filter((word) => word !== "" && !SMALL.has(word))
    .join(" ");
