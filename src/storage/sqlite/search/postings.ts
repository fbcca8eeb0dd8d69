import type { WeighedWord } from "../../../core/ports/hits.ts";
import { commonRows, weighWords } from "../../common/word-weights.ts";
import type { WordLookup, WordRows } from "./word-rows.ts";

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
  heaviest(): Iterable<number>;
}

/** A word's rows, its bit in the sets of words, and its weight. */
interface Posting extends WordRows {
  readonly bit: number;
  readonly weight: number;
}

/**
 * Looks up each word and weighs it by its rarity among the `total` rows that the reader may see. At most 30 words, the bits
 * of one number; too common ones weigh nothing beside a rarer one.
 */
export function readPostings(lookup: WordLookup, words: readonly string[], total: number): Postings {
  const common = commonRows(total);
  const found = words.map((word) => ({ word, ...lookup(word, common + 1) }));
  const weighed = weighWords(
    found.map(({ word, rows }) => ({ word, rows: rows.length })),
    total,
  );
  const read = found
    .map(({ rows, has }, i): Posting => ({ rows, has, bit: 1 << i, weight: weighed[i]?.weight ?? 0 }))
    .filter(({ weight }) => weight > 0);
  return {
    words: weighed,
    absent: found.filter(({ rows }) => rows.length === 0).length,
    total,
    isCut: found.some(({ rows }) => rows.length > common),
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
