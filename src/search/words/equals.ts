import type { Hit, HitReply, WeighedWord } from "../../core/ports/hits.ts";
import { STAND_IN_SHARE } from "../../text/languages/forms.ts";
import type { Question } from "../question.ts";

/** A word of a search: some stand for a word of the question, because people write one for the other. */
export interface AskedWord extends WeighedWord {
  readonly equal_to?: string | undefined;
  /** It may stand for it: in another language than the question's it is another word. */
  readonly is_guess?: boolean | undefined;
}

/**
 * What storage found, with the words that stand for others counted as those: no rarer, and in no row twice. In the order of
 * the words, as the bits of the hits are.
 */
export function asAsked<Found extends Pick<HitReply, "hits" | "words">>(
  found: Found,
  { equals, guessed }: Pick<Question, "equals" | "guessed">,
): Found & { readonly words: readonly AskedWord[] } {
  if (equals.size === 0) return found;
  const places = new Map(found.words.map(({ word }, i) => [word, i]));
  const words = found.words.map((word): AskedWord => {
    const equal_to = equals.get(word.word);
    if (equal_to === undefined) return word;
    const written = found.words[places.get(equal_to) ?? -1];
    const most = written && written.rows > 0 ? written.weight : word.weight;
    return {
      ...word,
      weight: STAND_IN_SHARE * Math.min(word.weight, most),
      equal_to,
      is_guess: guessed.has(word.word),
    };
  });
  const once = (bits: number): number => {
    let left = bits;
    for (const [i, { equal_to }] of words.entries()) {
      if (equal_to === undefined || (left & (1 << i)) === 0) continue;
      const others = words.reduce(
        (all, other, j) => (j < i && (other.word === equal_to || other.equal_to === equal_to) ? all | (1 << j) : all),
        0,
      );
      if ((left & others) !== 0) left &= ~(1 << i);
    }
    return left;
  };
  const hits = found.hits.map(
    (hit): Hit => ({ ...hit, own_words: once(hit.own_words), near_words: once(hit.near_words) }),
  );
  return { ...found, words, hits };
}

/** The words of the question as it writes them, each with what it weighs at most: of one that no row holds, what stands for it. */
export const writtenWords = (words: readonly AskedWord[]): AskedWord[] =>
  words
    .filter(({ equal_to }) => equal_to === undefined)
    .map((written) => {
      if (written.rows > 0) return written;
      const standing = words.filter(({ equal_to }) => equal_to === written.word);
      const most = standing.reduce<AskedWord>(
        (best, one) => (one.rows > 0 && one.weight >= best.weight ? one : best),
        written,
      );
      return { ...most, word: written.word };
    });
