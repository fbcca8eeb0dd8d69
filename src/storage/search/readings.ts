import type { HitQuery } from "../../core/ports/hits.ts";
import type { Readings } from "../../text/words/slips.ts";
import { hasForm, likeliestFirst, MEANT_ROWS_MAX, mayBeSlip, meantBy, SLIPS_MAX } from "../../text/words/slips.ts";
import type { Unit } from "../units/unit.ts";

/** The words of a question, and those of them that surely stand for another one; see `HitQuery`. */
export type Asked = Pick<HitQuery, "words" | "told">;

/** How an engine looks words up among the rows that a reader may see. */
export interface ReadableWords {
  /** How many rows hold each of some words; those that none holds may be left out. */
  count(words: readonly string[]): Unit<ReadonlyMap<string, number>>;
  /** Texts of some of the newest rows that hold a word or its stem. */
  texts(word: string, most: number): Unit<readonly string[]>;
}

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * What the words of a question that no readable row holds may have been meant as, told by the rows that the reader may see
 * alone: `isHeld` says which words are held. Nothing is looked for where all are.
 */
export function* readingsOf(
  { words, told = NONE }: Asked,
  isHeld: (word: string) => boolean,
  { count, texts }: ReadableWords,
): Unit<Readings> {
  const isFound = (word: string) => isHeld(word) || words.some((other) => told.get(other) === word && isHeld(other));
  const absent = words.filter((word) => mayBeSlip(word) && !isFound(word)).slice(0, SLIPS_MAX);
  const readings = new Map<string, string>();
  for (const word of absent) {
    const others = meantBy(word).filter((other) => !words.includes(other));
    const counts = yield* count(others);
    const counted = likeliestFirst(others.map((other) => ({ word: other, rows: counts.get(other) ?? 0 })));
    for (const other of counted) {
      // Of those that hold its stem, a row has the word itself, or with an ending.
      const found = yield* texts(other.word, MEANT_ROWS_MAX);
      if (!found.some((text) => hasForm(text, other.word))) continue;
      readings.set(word, other.word);
      break;
    }
  }
  return readings;
}
