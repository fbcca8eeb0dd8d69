import { reachOf } from "../access/visibility.ts";
import { embedQuestion } from "../embedding/in-time.ts";
import type { NamedEntities } from "../entities/match.ts";
import { namedEntities } from "../entities/match.ts";
import { toTimestamp } from "../kernel/clock.ts";
import { rounded } from "../kernel/text.ts";
import { toMemoryView } from "../memories/view.ts";
import type { Ctx } from "../ports/context.ts";
import type { HitReply } from "../ports/memory-store.ts";
import type { Warning } from "../schema/common.ts";
import type { Memory } from "../schema/memory.ts";
import { entityEvidence } from "./entities.ts";
import type { SearchPlan } from "./plan.ts";
import { readQuestion } from "./question.ts";
import type { RankedHit } from "./score.ts";
import { rankHits } from "./score.ts";

/** What a search found, best first, before it is turned into a reply. */
export interface Findings {
  readonly plan: SearchPlan;
  /** Every row considered, in order of score. */
  readonly ranked: readonly RankedHit[];
  /** The rows returned: above the floor, `top_k` at most. */
  readonly returned: readonly RankedHit[];
  readonly took_ms: HitReply["took_ms"];
  readonly entities: NamedEntities;
  readonly query_vector: Float32Array | null;
  readonly warnings: readonly Warning[];
}

/** The search itself, shared by /search and /recall. */
export async function findMemories(ctx: Ctx, plan: SearchPlan): Promise<Findings> {
  const vector = await embedQuestion(ctx, plan.query);
  const warnings = vector ? [] : [keywordOnly(ctx)];
  const question = readQuestion(plan.query);
  const entities = await namedEntities(ctx.storage, reachOf(ctx, plan.agent_id), plan.query);
  const reply = await ctx.storage.memories.hits({
    filter: plan.filter,
    vector: vector && { embedder_id: ctx.embedder.id, values: vector },
    words: question.terms,
    pool: plan.pool,
  });
  const { calibration } = ctx.embedder;
  const ranked = rankHits(reply, {
    question,
    now: plan.now,
    calibration,
    entities: entityEvidence(entities, reply.words),
  });
  const returned = ranked.filter((hit) => passesFloor(hit, plan.min_similarity)).slice(0, plan.top_k);
  return {
    plan,
    ranked,
    returned,
    took_ms: reply.took_ms,
    entities,
    query_vector: vector,
    warnings: [...plan.warnings, ...warnings],
  };
}

/** A row below the floor on cosine; a row found by its words, or without a vector, has no cosine to fall short. */
export const passesFloor = ({ hit }: RankedHit, floor: number | null): boolean =>
  floor === null || hit.own_words !== 0 || hit.vec_sim === null || hit.vec_sim >= floor;

export const toItem = ({ hit, score, parts }: RankedHit): Memory =>
  toMemoryView(hit.memory, {
    ranked: {
      similarity: hit.vec_sim === null ? null : rounded(hit.vec_sim),
      score: rounded(score),
      score_parts: parts,
    },
  });

function keywordOnly(ctx: Ctx): Warning {
  const state = ctx.embedder.state();
  const why =
    state.phase === "failed" ? `the embedding model failed (${state.reason})` : "the embedding model is still busy";
  return {
    code: "semantic_search_unavailable",
    message: `Found by keyword only: ${why}.`,
    details: { phase: state.phase },
  };
}

/** Counts the rows as recalled, after the reply, when an agent asked. True when it will. */
export function trackRecalls(ctx: Ctx, { plan, returned }: Findings): boolean {
  if (plan.agent_id === null || returned.length === 0) return false;
  const ids = returned.map(({ hit }) => hit.memory.id);
  ctx.afterReply(() => ctx.storage.memories.touchRecalls(plan.filter.tenant_id, ids, toTimestamp(plan.now)));
  return true;
}
