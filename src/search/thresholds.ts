import { rounded } from "../core/kernel/text.ts";
import type { Hit } from "../core/ports/hits.ts";
import type { Warning } from "../core/schema/common.ts";

/** What a row must reach to be returned; null for no floor. */
export interface Thresholds {
  /** On the raw cosine. */
  readonly min_similarity: number | null;
  /** On the score as replies show it. */
  readonly min_score: number | null;
}

/** What the floors look at in a ranked row. */
export interface Weighed {
  readonly hit: Pick<Hit, "vec_sim">;
  /** Whether it holds a word of the question as the question writes it. */
  readonly has_words: boolean;
  readonly score: number;
}

/** The floor that a row falls short of, null for none. */
export function missedThreshold(
  { hit, has_words, score }: Weighed,
  { min_similarity, min_score }: Thresholds,
): "below_min_similarity" | "below_min_score" | null {
  // A row found by keyword, or without a vector, has no cosine to fall short.
  const hasCosine = !has_words && hit.vec_sim !== null;
  if (min_similarity !== null && hasCosine && hit.vec_sim < min_similarity) return "below_min_similarity";
  return min_score !== null && rounded(score) < min_score ? "below_min_score" : null;
}

/** Says that nothing is returned because of a `min_score` that the caller did not choose, and how to have it all the same. */
export function emptiedByScore(ranked: readonly Weighed[], floors: Thresholds): Warning[] {
  const below = ranked.filter((row) => missedThreshold(row, floors) === "below_min_score");
  const [best] = below;
  if (!best) return [];
  const { min_score } = floors;
  const found = below.length === 1 ? "1 memory" : `${below.length} memories`;
  return [
    {
      code: "below_min_score",
      message: `What was found (${found}) scores below ${min_score}, too little for an answer; min_score 0 returns it all the same.`,
      details: { below_min_score: below.length, best_score: rounded(best.score), min_score },
    },
  ];
}
