import { rounded } from "../../core/kernel/text.ts";
import { TOP_K_MAX } from "../../core/schema/retrieval.ts";
import { exclusion } from "../diagnose.ts";
import type { SearchResults } from "../find.ts";
import { findSuccessors } from "../successors.ts";
import type { Case, Outcome } from "./case.ts";
import { failed, passed } from "./case.ts";

/** Whether the memory is near enough in meaning. */
export function reachesSimilarity({ findings: { plan }, ranked, excluded }: Case): Outcome {
  const { min_similarity } = plan;
  const cosine = ranked?.hit.vec_sim ?? null;
  if (min_similarity === null) return passed("The search has no min_similarity.");
  if (excluded !== "below_min_similarity" || cosine === null) {
    const isFound = cosine === null || cosine < min_similarity;
    return passed(
      isFound
        ? "Its words found it, or it has no vector: min_similarity does not count."
        : `Its similarity is ${rounded(cosine)}, and min_similarity is ${min_similarity}.`,
    );
  }
  return failed(
    `Its similarity to the question is ${rounded(cosine)}, and min_similarity is ${min_similarity}.`,
    cosine > 0 ? `Lower min_similarity to ${cut(cosine)}.` : "Leave min_similarity out.",
    { min_similarity: cosine > 0 ? cut(cosine) : null },
  );
}

/** A number with four digits behind the point, never more than it is. */
const cut = (value: number): number => Math.floor(value * 10_000) / 10_000;

/** Whether the memory scores enough. */
export function reachesScore({ findings: { plan }, ranked, excluded }: Case): Outcome {
  const { min_score } = plan;
  if (min_score === null) return passed("The search has no min_score.");
  const score = rounded(ranked?.score ?? 0);
  const detail = `It scores ${score}, and min_score is ${min_score}.`;
  return excluded === "below_min_score"
    ? failed(detail, `Lower min_score to ${score}.`, { min_score: score })
    : passed(detail);
}

/** Whether no newer memory with the same text stands for it. */
export function isOwnText({ findings: { sameAs }, memory }: Case): Outcome {
  const newer = sameAs.get(memory.id);
  if (newer === undefined) return passed("No newer memory that was considered has the same text.");
  return failed(`A newer memory has the same text and stands for it: ${newer}.`, `Read ${newer} instead.`);
}

/** Whether nothing that took its place answers instead. */
export async function isUnanswered({ ctx, findings, memory, excluded }: Case): Promise<Outcome> {
  const isAnswered = excluded === "answered_by_successor";
  const ids = isAnswered ? (await findSuccessors(ctx, findings.plan, [memory.id])).get(memory.id) : [];
  const successor = findings.returned.find((row) => ids?.includes(row.memory.id));
  if (!successor) return passed("Nothing that took its place is returned instead of it.");
  return failed(
    `Its status is '${memory.status}', and what took its place is returned: ${successor.memory.id}.`,
    `Read ${successor.memory.id}, or search with status_filter '${memory.status}'.`,
    { status_filter: memory.status },
  );
}

/** Whether there was room for it. */
export function hasRoom({ findings, ranked, excluded }: Case): Outcome {
  const { plan, returned } = findings;
  if (!ranked) return passed(`There is room for ${plan.top_k}.`);
  const rank = findings.ranked.indexOf(ranked) + 1;
  const place = placeOf(findings, rank);
  const left = place === rank ? "" : ` (${place} without those left out before it)`;
  const detail = `Its rank is ${rank} of ${findings.ranked.length}${left}, and top_k is ${plan.top_k}`;
  if (excluded === null) return passed(`${detail}.`);
  if (excluded !== "trimmed_by_top_k")
    return failed(
      `${detail}, but it does not fit into one reply with those before it.`,
      "Narrow the search by fleet, author or type, so that it comes earlier.",
    );
  const lacks = rounded((leastScore(returned) ?? 0) - ranked.score);
  return failed(
    `${detail}: it lacks ${lacks} to the score of the last one returned.`,
    place <= TOP_K_MAX
      ? `Raise top_k to ${place}.`
      : `top_k goes up to ${TOP_K_MAX}: ask in words nearer to it, or narrow the search by fleet, author or type.`,
    place <= TOP_K_MAX ? { top_k: place } : null,
  );
}

/** The place of the row of a rank among those that a larger `top_k` returns: the `top_k` that it takes. */
const placeOf = (findings: SearchResults, rank: number): number =>
  findings.ranked
    .slice(0, rank - 1)
    .map((row) => exclusion(findings, row))
    .filter((why) => why === null || why === "trimmed_by_top_k").length + 1;

/** The least score among the returned; null where none has one. */
export function leastScore(returned: SearchResults["returned"]): number | null {
  const scores = returned.flatMap(({ ranked }) => ranked?.score ?? []);
  return scores.length === 0 ? null : Math.min(...scores);
}
