import type { Services } from "../core/ports/context.ts";
import type { Pair } from "./pair.ts";
import { shareSubject } from "./pair.ts";

/** Pairs of one row that the judge is asked about: a few milliseconds each. */
const JUDGED_MAX = 6;
/** The candidates nearest in meaning are worth comparing even when nothing else says that they are about the same thing. */
const NEAREST_JUDGED = 3;

/** The judge's scores of the pairs that are worth its time; none without a judge. */
export async function judgePairs(
  { judge }: Services,
  pairs: readonly Pair[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Pair, number>> {
  const worth = judge ? worthJudging(pairs) : [];
  if (!judge || worth.length === 0) return new Map();
  const texts = worth.map(({ older, newer }) => ({ older: older.memory.content, newer: newer.memory.content }));
  const scores = await judge.score(texts, signal ? { signal } : {});
  return new Map(worth.flatMap((pair, i) => (scores?.[i] === undefined ? [] : [[pair, scores[i]]])));
}

/** Pairs that share a subject, then those that share an entity, then the nearest ones. */
function worthJudging(pairs: readonly Pair[]): Pair[] {
  const nearest = pairs.toSorted((a, b) => (b.candidate.cosine ?? 0) - (a.candidate.cosine ?? 0));
  const chosen = new Set([
    ...nearest.filter(shareSubject),
    ...nearest.slice(0, NEAREST_JUDGED),
    ...nearest.filter(({ candidate }) => candidate.shared_entities > 0),
  ]);
  return [...chosen].slice(0, JUDGED_MAX);
}
