import { toTimestamp } from "../core/kernel/clock.ts";
import type { JsonObject } from "../core/kernel/json.ts";
import { rounded } from "../core/kernel/text.ts";
import type { CandidateView, RetrievalStrategy, SearchDiagnostic, StageTime } from "../core/schema/retrieval.ts";
import type { SearchResults } from "./find.ts";
import type { RankedHit } from "./rank.ts";
import type { QueryTime } from "./temporal.ts";
import { missedThreshold } from "./thresholds.ts";
import { WEIGHTS } from "./weights.ts";

/** Everything the search weighed, row by row, and why the rest was left out. */
export function toSearchDiagnostic(findings: SearchResults): SearchDiagnostic {
  const { plan, ranked, returned } = findings;
  const shared = sharedDiagnostic(findings);
  return {
    ...shared,
    top_k_requested: plan.top_k,
    min_similarity_applied: plan.min_similarity ?? 0,
    candidates_considered: ranked.length,
    returned: returned.length,
    excluded_below_min_similarity: countExcluded(shared.all_candidates, "below_min_similarity"),
    excluded_by_top_k_trim: countExcluded(shared.all_candidates, "trimmed_by_top_k"),
  };
}

/** The part of a diagnostic that search and recall share. */
export function sharedDiagnostic(findings: SearchResults) {
  const { plan, question, ranked, words, took_ms, entities } = findings;
  const all_candidates = ranked.map((hit) => toCandidate(findings, hit));
  return {
    retrieval_strategy: strategyOf(findings),
    search_params: {
      top_k: plan.top_k,
      pool: plan.pool,
      weights: WEIGHTS.signals,
      took_ms: { ...took_ms },
      time_windows: question.times.map(toWindowView),
      read_as: Object.fromEntries(words.flatMap(({ word, read_as }) => (read_as ? [[word, read_as]] : []))),
    },
    stages: toStages(findings),
    min_score_applied: plan.min_score ?? 0,
    excluded_below_min_score: countExcluded(all_candidates, "below_min_score"),
    all_candidates,
    entity_matches: entities.count,
    entity_match_declined: entities.declined,
  };
}

const countExcluded = (candidates: readonly CandidateView[], why: CandidateView["excluded"]): number =>
  candidates.filter(({ excluded }) => excluded === why).length;

/** What leads the search: its words alone, a time it names, what is new, or meaning and words together. */
function strategyOf({ question, query_vector }: SearchResults): RetrievalStrategy {
  if (!query_vector) return "keyword_only";
  if (question.times.length > 0) return "temporal";
  return question.asks_recent > 0 ? "recent_context" : "hybrid";
}

/** A window as it was understood; null for an end that is open. */
const toWindowView = ({ window: { start, end } }: QueryTime): JsonObject => ({
  start: Number.isFinite(start) ? toTimestamp(start) : null,
  end: Number.isFinite(end) ? toTimestamp(end) : null,
});

/** Milliseconds of the stages, as far as they are over. */
const toStages = ({ watch, took_ms: { vector, keyword, load } }: SearchResults): StageTime[] =>
  Array.from(watch.times(), ([name, ms]) => ({
    name,
    ms: rounded(ms, 2),
    ...(name === "candidates"
      ? {
          parts: [
            { name: "vectors", ms: rounded(vector, 2) },
            { name: "words", ms: rounded(keyword, 2) },
            { name: "rows", ms: rounded(load, 2) },
          ],
        }
      : {}),
  }));

/** A considered row with all that counted for and against it, and why it was left out. */
export function toCandidate(findings: SearchResults, ranked: RankedHit): CandidateView {
  const { plan } = findings;
  const { hit, score, parts, why } = ranked;
  const { memory } = hit;
  return {
    id: memory.id,
    title: memory.title,
    memory_type: memory.memory_type,
    status: memory.status,
    score: rounded(score),
    ...parts,
    vec_sim: hit.vec_sim === null ? null : rounded(hit.vec_sim),
    fts_match: hit.own_words !== 0,
    fts_global_floor_bypass:
      plan.min_similarity !== null && ranked.has_words && (hit.vec_sim ?? 0) < plan.min_similarity,
    pool_arms: [...hit.legs],
    has_embedding: hit.vec_sim !== null,
    excluded: exclusion(findings, ranked),
    same_text_as: findings.sameAs.get(memory.id) ?? null,
    signals: Object.fromEntries(
      Object.entries(ranked.shares).flatMap(([signal, share]) => nonZero(share).map((nats) => [signal, nats])),
    ),
    ...Object.fromEntries(nonZero(ranked.pull).map((nats) => ["run_pull", nats])),
    ...Object.fromEntries(nonZero(-ranked.loss).map((nats) => ["overtaken_loss", nats])),
    why,
  };
}

/** Nats as they are shown; none where they come to nothing. */
function nonZero(nats: number): number[] {
  const shown = rounded(nats, NATS_DIGITS);
  return shown === 0 ? [] : [shown];
}
const NATS_DIGITS = 3;

/** Why a considered row is not among the returned; null where it is. */
export function exclusion({ plan, returned, sameAs }: SearchResults, ranked: RankedHit): CandidateView["excluded"] {
  const short = missedThreshold(ranked, plan);
  if (short) return short;
  if (sameAs.has(ranked.hit.memory.id)) return "same_text";
  const scores = returned.flatMap((row) => row.ranked?.score ?? []);
  if (returned.some((row) => row.ranked === ranked)) return null;
  const hadRoom = scores.length < plan.top_k || ranked.score > Math.min(...scores);
  return hadRoom ? "answered_by_successor" : "trimmed_by_top_k";
}
