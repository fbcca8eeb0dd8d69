import type { Connections } from "../engine/connection.ts";
import type { WhereText } from "../memories/filters.ts";
import type { Postings, ReadableRows, WordTable } from "./postings.ts";
import { heaviestRows, readPostings } from "./postings.ts";

/** How many times the leg widens its look when filters keep throwing out what it found. */
const WIDENINGS_MAX = 4;
/** How many times as many rows it reads then, at most, and how many at least: to read a few takes as long. */
const WIDENING = 4;
const WIDTH_MIN = 16;
/** Share of the pool that must pass the filter; with less, what passes is searched itself. */
export const PASSING_SHARE = 0.25;

export interface KeywordQuery {
  readonly table: WordTable;
  readonly words: readonly string[];
  /** Rows that the leg may contribute. */
  readonly pool: number;
  readonly readable: ReadableRows;
  /** Which of those pass the filter, asked for only when the words alone bring too few. */
  passing(): WhereText;
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
export function keywordLeg(db: Connections, query: KeywordQuery): Postings {
  const { table, words, readable } = query;
  const first = readPostings(db, table, words, readable);
  const look = keepHeaviest(first, query);
  if ((look.isWhole && !first.isCut) || look.kept >= query.pool * PASSING_SHARE) return first;
  if (look.kept >= look.looked * PASSING_SHARE) return first;
  const again = readPostings(db, table, words, { ...readable, where: query.passing() });
  keepHeaviest(again, query);
  // What stands beside a hit need not pass itself.
  return { ...again, wordsOf: new Map([...first.wordsOf, ...again.wordsOf]) };
}

function keepHeaviest(postings: Postings, { pool, keep }: KeywordQuery): Look {
  const ranked = heaviestRows(postings);
  let kept = 0;
  let looked = 0;
  for (let width = pool, i = 0; i < WIDENINGS_MAX && kept < pool && looked < ranked.length; i++) {
    const seqs = ranked.slice(looked, looked + width);
    kept += keep(seqs);
    looked += seqs.length;
    // As many as should fill the pool if the others pass as often.
    const wanted = kept === 0 ? Number.POSITIVE_INFINITY : Math.ceil(((pool - kept) * looked) / kept);
    width = Math.min(width * WIDENING, Math.max(WIDTH_MIN, wanted));
  }
  return { looked, kept, isWhole: looked === ranked.length };
}
