import type { WeighedWord } from "../../core/ports/hits.ts";
import { commonRows, weighWords } from "./word-weights.ts";

/** Rows that hold a word, newest first. */
export interface RowsOfWord {
  readonly rows: ArrayLike<number> & Iterable<number>;
  has(seq: number): boolean;
}

/** Which rows hold which words of a query. */
export interface Postings {
  readonly words: readonly WeighedWord[];
  /** How many words of the query no row holds. */
  readonly absent: number;
  /** Rows that words were weighed among. */
  readonly total: number;
  /** Whether a word is in more rows than were looked up. */
  readonly isCut: boolean;
  /** Bits of the words that a row holds. */
  wordsAt(seq: number): number;
  /** The rows that hold a word, those with the heaviest words first, newer ones first among equals. */
  heaviest(): IteratorObject<number>;
}

/** A word's rows, its bit in the sets of words, and its weight. */
interface Posting extends RowsOfWord {
  readonly bit: number;
  readonly weight: number;
}

/** Looks up each word among the `total` rows that the reader may see. */
export function readPostings(
  lookup: (word: string, limit: number) => RowsOfWord,
  words: readonly string[],
  total: number,
): Postings {
  const limit = commonRows(total) + 1;
  const found = words.map((word) => ({ word, ...lookup(word, limit) }));
  return postingsOf(
    found.map((one) => ({ ...one, count: one.rows.length })),
    total,
  );
}

/** A word with the rows that are of interest, and how many rows hold it of all that the reader may see. */
export interface FoundWord extends RowsOfWord {
  readonly word: string;
  /** No more than one more than `commonRows`. */
  readonly count: number;
}

/**
 * Weighs words by their rarity among the `total` rows that the reader may see. At most 30 words, the bits of one number; too
 * common ones weigh nothing beside a rarer one.
 */
export function postingsOf(found: readonly FoundWord[], total: number): Postings {
  const common = commonRows(total);
  const weighed = weighWords(
    found.map(({ word, count }) => ({ word, rows: count })),
    total,
  );
  const read = found
    .map(({ rows, has }, i): Posting => ({ rows, has, bit: 1 << i, weight: weighed[i]?.weight ?? 0 }))
    .filter(({ weight }) => weight > 0);
  return {
    words: weighed,
    absent: found.filter(({ count }) => count === 0).length,
    total,
    isCut: found.some(({ count }) => count > common),
    wordsAt: (seq) => bitsAt(read, seq),
    heaviest: () => heaviestRows(read),
  };
}

const bitsAt = (read: readonly Posting[], seq: number): number => {
  let bits = 0;
  for (const { has, bit } of read) if (has(seq)) bits |= bit;
  return bits;
};

/**
 * The rows by the sum of their words' weights, without looking at more of them than are asked for: the rarest word's rows
 * first, and so on. What no list so far has cannot weigh more than the words that are left do together (Turtle and Flood
 * 1995, "max score"), so whatever weighs more is in its place.
 */
function* heaviestRows(read: readonly Posting[]): Generator<number> {
  const lists = read.toSorted((a, b) => b.weight - a.weight);
  const weightOf = (bits: number): number =>
    read.reduce((sum, { bit, weight }) => (bits & bit ? sum + weight : sum), 0);
  const waiting = new Map<number, number[]>();
  for (const [i, { rows, bit }] of lists.entries()) {
    const [before, after] = [lists.slice(0, i), lists.slice(i + 1)];
    for (const seq of rows) {
      if (before.some(({ has }) => has(seq))) continue;
      const bits = bit | bitsAt(after, seq);
      const alike = waiting.get(bits);
      if (alike) alike.push(seq);
      else waiting.set(bits, [seq]);
    }
    const left = after.reduce((sum, { weight }) => sum + weight, 0);
    const ready = [...waiting.keys()].filter((bits) => after.length === 0 || weightOf(bits) > left);
    const byWeight = [...Map.groupBy(ready, weightOf)].sort(([a], [b]) => b - a);
    for (const [, sets] of byWeight) {
      const equal = sets.flatMap((bits) => waiting.get(bits) ?? []);
      yield* sets.length === 1 ? equal : equal.sort((a, b) => b - a);
      for (const bits of sets) waiting.delete(bits);
    }
  }
}
