import type { WeighedWord } from "../../core/ports/hits.ts";
import { inverseDocumentFrequency } from "../../text/words/inverse-document-frequency.ts";
import { isForm } from "../../text/words/letters.ts";
import type { Readings } from "../../text/words/slips.ts";

/** A word in more than this share of the rows tells too little to be read beside a rarer one. */
const COMMON_SHARE = 0.1;
/** In a small store every word is common; below this many rows none is left out. */
const COMMON_ROWS_MIN = 200;
/** Least weight of a word, however common. */
const WEIGHT_MIN = 0.01;

/** In more rows than this, of `total`, a word is too common; no more of its rows are counted. */
export const commonRows = (total: number): number => Math.max(COMMON_ROWS_MIN, Math.ceil(total * COMMON_SHARE));

/** A word, and how many rows hold it, counted up to one more than `commonRows`. */
export type CountedWord = Pick<WeighedWord, "word" | "rows">;

/** What a word is worth of what it was read as, beside others that need no reading: it may be another one. */
const READ_SHARE = 0.25;

/** Words as they were read; forms are beside the words that were written, and no others. */
export function asRead(words: readonly WeighedWord[], readings: Readings): WeighedWord[] {
  const share = words.every(({ word }) => isForm(word) || readings.has(word)) ? 1 : READ_SHARE;
  return words.map((weighed) => {
    const read_as = readings.get(weighed.word);
    return read_as === undefined ? weighed : { ...weighed, weight: weighed.weight * share, read_as };
  });
}

/** Weighs words by their rarity among `total` rows; too common ones weigh nothing beside a rarer one that is no form. */
export function weighWords(counted: readonly CountedWord[], total: number): WeighedWord[] {
  const common = commonRows(total);
  const anyRare = counted.some(({ word, rows }) => !isForm(word) && rows > 0 && rows <= common);
  return counted.map(({ word, rows }) => {
    const tooCommon = anyRare && rows > common;
    const weight = tooCommon || rows === 0 ? 0 : Math.max(WEIGHT_MIN, inverseDocumentFrequency(rows, total));
    return { word, rows, weight };
  });
}
