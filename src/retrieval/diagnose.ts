import { rounded } from "../kernel/text.ts";
import type { CandidateView, SearchDiagnostic } from "../schema/retrieval.ts";
import type { Findings } from "./findings.ts";
import { passesFloor } from "./findings.ts";
import type { RankedHit } from "./score.ts";
import { SCORE_WEIGHTS } from "./score.ts";

/** Everything the search weighed, row by row, and why the rest was left out. */
export function toSearchDiagnostic(findings: Findings): SearchDiagnostic {
  const { plan, ranked, returned } = findings;
  const above = ranked.filter((hit) => passesFloor(hit, plan.min_similarity)).length;
  return {
    ...sharedDiagnostic(findings),
    top_k_requested: plan.top_k,
    min_similarity_applied: plan.min_similarity,
    candidates_considered: ranked.length,
    returned: returned.length,
    excluded_below_min_similarity: ranked.length - above,
    excluded_by_top_k_trim: above - returned.length,
  };
}

/** The part of a diagnostic that search and recall share. */
export function sharedDiagnostic(findings: Findings) {
  const { plan, ranked, took_ms, entities, query_vector } = findings;
  return {
    retrieval_strategy: query_vector ? ("hybrid" as const) : ("keyword_only" as const),
    search_params: { top_k: plan.top_k, pool: plan.pool, ...SCORE_WEIGHTS, took_ms: { ...took_ms } },
    all_candidates: ranked.map((hit) => toCandidate(findings, hit)),
    entity_matches: entities.count,
    entity_match_declined: entities.declined,
  };
}

function toCandidate({ plan, returned }: Findings, ranked: RankedHit): CandidateView {
  const { hit, score, parts, why } = ranked;
  const { memory } = hit;
  const belowFloor = !passesFloor(ranked, plan.min_similarity);
  const trimmed = !belowFloor && !returned.includes(ranked);
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
      plan.min_similarity !== null && hit.own_words !== 0 && (hit.vec_sim ?? 0) < plan.min_similarity,
    pool_arms: [...hit.legs],
    has_embedding: hit.vec_sim !== null,
    excluded: exclusion(belowFloor, trimmed),
    why,
  };
}

function exclusion(belowFloor: boolean, trimmed: boolean): CandidateView["excluded"] {
  if (belowFloor) return "below_min_similarity";
  return trimmed ? "trimmed_by_top_k" : null;
}
