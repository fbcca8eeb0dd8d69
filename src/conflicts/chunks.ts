import type { ContentWord } from "../text/claims/content-words.ts";
import type { TokenRange } from "../text/claims/lexer.ts";
import { canonical } from "../text/lexicon/synonyms.ts";
import { ATTRIBUTE_NOUNS } from "../text/lexicon/words.ts";
import type { Alignment } from "./align.ts";

/** Neighbouring words of one part that the other lacks: one thing that differs. */
export interface Chunk {
  readonly words: readonly ContentWord[];
  readonly preposition: string;
  readonly zone: ContentWord["zone"];
  /** Tokens from the first up to but without the second. */
  readonly from: number;
  readonly to: number;
}

/** Tokens that a rule has taken for its clash, so that they do not count again. */
export interface MatchedTokens {
  readonly older: readonly TokenRange[];
  readonly newer: readonly TokenRange[];
}

/** How many words may stand between two of one chunk. */
const GAP_MAX = 2;
/** Prepositions of when and why, which tell nothing apart. */
const CIRCUMSTANCES: ReadonlySet<string> = new Set([
  "during",
  "after",
  "before",
  "since",
  "until",
  "till",
  "despite",
  "because",
]);
const attributeKeys: ReadonlySet<string> = new Set([...ATTRIBUTE_NOUNS].map(canonical));

/** Groups words that hang on one preposition of one part. */
export function chunksOf(words: readonly ContentWord[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (const word of words) {
    const last = chunks.at(-1);
    const joins =
      last !== undefined &&
      last.zone === word.zone &&
      last.preposition === word.preposition &&
      word.index - last.to <= GAP_MAX;
    if (last !== undefined && joins)
      chunks[chunks.length - 1] = { ...last, words: [...last.words, word], to: word.index + 1 };
    else
      chunks.push({
        words: [word],
        preposition: word.preposition,
        zone: word.zone,
        from: word.index,
        to: word.index + 1,
      });
  }
  return chunks;
}

/** The things in which each side differs from the other, without verbs, attributes and what a rule has used. */
export function unmatchedChunks(
  pair: Alignment,
  used: MatchedTokens,
): { readonly older: Chunk[]; readonly newer: Chunk[] } {
  const left = (words: readonly ContentWord[], ranges: readonly TokenRange[]) =>
    chunksOf(
      words.filter(({ zone, key, preposition, index }) => {
        const isTopic = zone !== "verb" && !attributeKeys.has(key) && !CIRCUMSTANCES.has(preposition);
        return isTopic && !isIn(ranges, index);
      }),
    );
  return { older: left(pair.only_older, used.older), newer: left(pair.only_newer, used.newer) };
}

const isIn = (ranges: readonly TokenRange[], index: number): boolean =>
  ranges.some(({ from, to }) => index >= from && index < to);
