import type { Postings } from "../../common/postings.ts";
import { readPostings } from "../../common/postings.ts";
import type { WordLookup } from "./word-rows.ts";

/** How many times the leg widens its look when filters keep throwing out what it found. */
const WIDENINGS_MAX = 4;
/** How many times as many rows it reads then, at most, and how many at least: to read a few takes as long. */
const WIDENING = 4;
const WIDTH_MIN = 16;
/** Rows whose passing may be asked for: with more of them, it is faster to begin with those that pass. */
const LOOKED_MAX = 4_000;
/** Share of the pool that must pass the filter; with less, what passes is searched itself. */
export const PASSING_SHARE = 0.25;

export interface KeywordQuery {
  readonly words: readonly string[];
  /** Rows that the leg may contribute. */
  readonly pool: number;
  /** Among all rows that the reader may see. */
  readonly lookup: WordLookup;
  /** How many those are. */
  readonly total: number;
  /** Whether a row may pass the filter, told without reading it; true where that cannot be told. */
  mayPass(seq: number): boolean;
  /** Looks up among those of the rows that pass the filter; asked for only when the words alone bring too few. */
  passing(): WordLookup;
  /** Keeps those of the rows that pass the filter; returns how many did. */
  keep(seqs: readonly number[]): number;
}

/** What one look through the heaviest rows brought. */
interface Look {
  readonly looked: number;
  readonly kept: number;
  /** Whether every row with a word was looked at. */
  readonly isWhole: boolean;
}

/**
 * Keeps the rows with the heaviest words until the pool is full. The words are looked up among all readable rows
 * first, which is fast; where rows that do not pass filled the lists, they are looked up once more among those that pass.
 */
export function keywordLeg(query: KeywordQuery): Postings {
  const { lookup, words, total, pool, passing } = query;
  const first = readPostings(lookup, words, total);
  const look = keepHeaviest(first, query);
  if ((look.isWhole && !first.isCut) || look.kept >= pool * PASSING_SHARE) return first;
  if (look.kept >= look.looked * PASSING_SHARE) return first;
  const again = readPostings(passing(), words, total);
  keepHeaviest(again, query);
  // What stands beside a hit need not pass itself.
  return { ...again, wordsAt: (seq) => again.wordsAt(seq) || first.wordsAt(seq) };
}

function keepHeaviest(postings: Postings, { pool, mayPass, keep }: KeywordQuery): Look {
  const ranked = postings.heaviest()[Symbol.iterator]();
  let [kept, read, looked] = [0, 0, 0];
  let isWhole = false;
  const take = (width: number): number[] => {
    const seqs: number[] = [];
    while (seqs.length < width && looked < LOOKED_MAX) {
      const { done, value } = ranked.next();
      isWhole = done === true;
      if (done) break;
      looked++;
      if (mayPass(value)) seqs.push(value);
    }
    return seqs;
  };
  for (let width = pool, i = 0; i < WIDENINGS_MAX && kept < pool && !isWhole && looked < LOOKED_MAX; i++) {
    const seqs = take(width);
    read += seqs.length;
    if (seqs.length > 0) kept += keep(seqs);
    // As many as should fill the pool if the others pass as often.
    const wanted = kept === 0 ? Number.POSITIVE_INFINITY : Math.ceil(((pool - kept) * read) / kept);
    width = Math.min(width * WIDENING, Math.max(WIDTH_MIN, wanted));
  }
  return { looked, kept, isWhole };
}
