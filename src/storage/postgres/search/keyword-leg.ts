import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import type { LookedUp } from "./word-counts.ts";

/** How many times the pool the words that are looked for first must hold, before others are left for later. */
const FIRST_LOOK = 4;

export interface KeywordQuery {
  readonly tenant_id: string;
  readonly words: readonly LookedUp[];
  /** What must hold of the rows of `memories`. */
  readonly where: SQL;
  /** Rows that the leg may contribute. */
  readonly pool: number;
}

/**
 * The rows of a filter with the heaviest words, heaviest first, newer ones first among equals. Rows are looked for by the
 * rarest words first: what holds none of those cannot weigh more than the words that are left do together (Turtle and Flood
 * 1995, "max score"), so that common words are seldom looked for at all.
 */
export async function keywordLeg(work: Work, query: KeywordQuery): Promise<number[]> {
  const { words, pool } = query;
  const lists = words.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  let looked = firstLook(lists, pool);
  for (;;) {
    const found = looked === 0 ? [] : await heaviest(work, query, lists, lists.slice(0, looked));
    const left = lists.slice(looked).reduce((sum, { weight }) => sum + weight, 0);
    const last = found[pool - 1];
    if (looked === lists.length || (last && last.weight > left)) return found.map(({ seq }) => seq);
    looked = Math.min(lists.length, 2 * looked);
  }
}

/** How many of the words, rarest first, hold enough rows that the others may not be needed. */
function firstLook(lists: readonly LookedUp[], pool: number): number {
  let rows = 0;
  const enough = lists.findIndex((list) => {
    rows += list.rows;
    return rows >= pool * FIRST_LOOK;
  });
  return enough < 0 ? lists.length : enough + 1;
}

interface Weighed {
  readonly seq: number;
  readonly weight: number;
}

/** Rows that hold one of some words, by the weight of all of them. */
function heaviest(
  work: Work,
  { tenant_id, where, pool }: KeywordQuery,
  all: readonly LookedUp[],
  some: readonly LookedUp[],
): Promise<Weighed[]> {
  const weights = all.map(
    ({ tokens, weight }) => sql`case when w.tokens && ${textArray(tokens)} then ${weight}::float8 else 0 end`,
  );
  return work.rows<Weighed>(sql`
    select memories.seq, ${sql.join(weights, sql` + `)} as weight
    from memory_words w join memories on memories.tenant_id = w.tenant_id and memories.seq = w.seq
    where w.tenant_id = ${tenant_id} and w.tokens && ${textArray(some.flatMap(({ tokens }) => tokens))} and ${where}
    order by weight desc, memories.seq desc limit ${pool}`);
}
