import type { Services } from "../core/ports/context.ts";
import type { Judgement } from "../core/ports/judge.ts";
import type { Pair } from "./pair.ts";
import { likenessOf, UNKNOWN_NEARNESS } from "./signals.ts";

/**
 * Which pairs of a row the judge reads, by how near they are: so many at most, those that are half as near as the nearest. Of
 * clashes by hand in a store of 3,400 rows it then reads .97, and 4 pairs a row; by likeness of vectors alone and with twice the
 * pairs .82 (`scripts/evaluate/candidates.ts`).
 */
const JUDGED_MAX = 12;
const SHARE_OF_NEAREST = 0.5;
/** Rows that are further from each other than this clash too seldom to be read. */
const NEARNESS_MIN = 0.3;
/** What words in common count for beside likeness: it is they that tell one subject from others of its kind. */
const WORDS_WEIGHT = 1.5;
/**
 * Texts that are less alike than this are hardly ever about one thing. Of the pairs that notes of a store are compared as, three of
 * five are so, and of the changes of whole notes 3 of 100 (`scripts/judge/store-pairs.ts`): reading them would cost most of the time.
 */
export const LIKENESS_MIN = 0.36;
/** Pairs of a row that a language model alone may be asked about. */
const FOR_LLM_ALONE_MAX = 6;

/** Whether callers stated nothing that decides a pair. */
export const isOpen = ({ stated }: Pair): boolean => stated === "unrelated";

/**
 * The pairs of a row that are worth deciding: those that callers decided, and of the others the nearest. Without a model, which
 * takes the time, all of them.
 */
export function worthDeciding(
  { judge, llm }: Pick<Services, "judge" | "llm">,
  pairs: readonly Pair[],
): readonly Pair[] {
  if (!judge && !llm) return pairs;
  const settled = pairs.filter((pair) => !isOpen(pair));
  const nearest = pairs.filter(isOpen).toSorted((a, b) => rankOf(b) - rankOf(a));
  if (!judge) return [...settled, ...nearest.slice(0, FOR_LLM_ALONE_MAX)];
  const least = Math.max(NEARNESS_MIN, SHARE_OF_NEAREST * (nearest[0] ? rankOf(nearest[0]) : 0));
  return [...settled, ...nearest.slice(0, JUDGED_MAX).filter((pair) => rankOf(pair) >= least)];
}

/** Whether callers decided a pair, or the judge is to read it. */
export const mayBeOfOneThing = (pair: Pair): boolean => !isOpen(pair) || likenessOf(pair) >= LIKENESS_MIN;

const rankOf = ({ candidate: { closeness, shared_words } }: Pair): number =>
  (closeness ?? UNKNOWN_NEARNESS) + WORDS_WEIGHT * shared_words;

/** What the judge makes of pairs, by their rows and texts: one may change while it reads. */
export type Judgements = Map<string, Judgement>;

export const pairKey = ({ older, newer }: Pair): string =>
  [older, newer].map(({ memory }) => `${memory.id} ${memory.content_hash}`).join(" ");

/** Adds what the judge makes of the open pairs that it has not read yet; nothing without a judge, or when it has no answer. */
export async function judgePairs(
  { judge }: Pick<Services, "judge">,
  pairs: readonly Pair[],
  judgements: Judgements,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!judge) return;
  const unread = pairs.filter((pair) => isOpen(pair) && !judgements.has(pairKey(pair)));
  if (unread.length === 0) return;
  const texts = unread.map(({ older, newer }) => ({ older: older.memory.content, newer: newer.memory.content }));
  const found = await judge.score(texts, signal ? { signal } : {});
  for (const [i, pair] of unread.entries()) {
    const judged = found?.[i];
    if (judged) judgements.set(pairKey(pair), judged);
  }
}
