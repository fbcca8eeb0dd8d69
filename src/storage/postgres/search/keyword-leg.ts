import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import type { LookedUp } from "./looked-up.ts";

/** How many times the pool the words that are looked for first must hold, before others are left for later. */
const FIRST_LOOK = 4;
/** Rows that are looked through for their words at most; of the commoner words that are left, the pool's worth of newest rows must do. */
const LOOKED_MAX = 2_000;
/** How many rows for each of the pool are held against the filter first; where too few pass, so many are wanted of all that do. */
const FEW = 1.25;
const MANY = 4;

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
 * 1995, "max score"), so that common words are seldom looked for at all; where they are, in the newest rows that hold them.
 */
export async function keywordLeg(work: Work, query: KeywordQuery): Promise<number[]> {
  const { words, pool } = query;
  const lists = words.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  const rare = within(lists, LOOKED_MAX) || Math.min(1, lists.length);
  let looked = Math.min(rare, within(lists, pool * FIRST_LOOK) + 1);
  for (;;) {
    const found = looked === 0 ? [] : await heaviest(work, query, lists, lists.slice(0, looked));
    const left = lists.slice(looked).reduce((sum, { weight }) => sum + weight, 0);
    const last = found[pool - 1];
    if (looked === lists.length || (last && last.weight > left)) return found.slice(0, pool).map(({ seq }) => seq);
    if (looked === rare) return merged(found, await newest(work, query, lists, looked)).slice(0, pool);
    looked = Math.min(rare, 2 * looked);
  }
}

/** How many of the words, rarest first, hold no more than so many rows together. */
function within(lists: readonly LookedUp[], most: number): number {
  let rows = 0;
  const beyond = lists.findIndex((list) => {
    rows += list.rows;
    return rows > most;
  });
  return beyond < 0 ? lists.length : beyond;
}

const merged = (some: readonly Weighed[], others: readonly Weighed[]): number[] =>
  [...some, ...others].sort((a, b) => b.weight - a.weight || b.seq - a.seq).map(({ seq }) => seq);

interface Weighed {
  readonly seq: number;
  readonly weight: number;
}

/** Rows that hold one of some words, by the weight of all of them. */
const heaviest = (work: Work, query: KeywordQuery, all: readonly LookedUp[], some: readonly LookedUp[]) =>
  passing(work, query, {
    holders: sql`select w.tenant_id, w.seq, ${weightOf(all)} as weight from memory_words w where ${holds(query, some)}`,
    order: sql`w.weight desc, w.seq desc`,
  });

/** The newest rows that hold one of the words from a place on, and none of those before it. */
function newest(work: Work, query: KeywordQuery, lists: readonly LookedUp[], from: number): Promise<Weighed[]> {
  const [before, left] = [lists.slice(0, from), lists.slice(from)];
  const isNew = before.length === 0 ? sql`true` : sql`not w.tokens && ${tokensOf(before)}`;
  return passing(work, query, {
    holders: sql`select w.tenant_id, w.seq, ${weightOf(left)} as weight from memory_words w
      where ${holds(query, left)} and ${isNew}`,
    order: sql`w.seq desc`,
  });
}

interface Holders {
  /** Rows of `memory_words` with their weights. */
  readonly holders: SQL;
  readonly order: SQL;
}

/**
 * Rows that pass the filter, as many as the pool takes and more where they are at hand: of the first ones, as nearly all pass
 * it as a rule. What comes in another order than by weight is weighed among all that are found.
 */
async function passing(work: Work, { where, pool }: KeywordQuery, { holders, order }: Holders): Promise<Weighed[]> {
  const forPool = (times: number) => sql.raw(String(Math.ceil(pool * times)));
  const [few, many] = [forPool(FEW), forPool(MANY)];
  const among = (rows: SQL, most: SQL) =>
    work.rows<Weighed & { readonly looked: number }>(sql`with held as materialized (${rows})
      select memories.seq, w.weight, (select count(*) from held) as looked
      from held w join memories on memories.tenant_id = w.tenant_id and memories.seq = w.seq
      where ${where} order by ${order} limit ${most}`);
  const found = await among(sql`select * from (${holders}) w order by ${order} limit ${few}`, few);
  const isAll = found[0] !== undefined && found[0].looked < pool * FEW;
  return found.length >= pool || isAll ? found : among(holders, many);
}

const tokensOf = (words: readonly LookedUp[]): SQL => textArray(words.flatMap(({ tokens }) => tokens));

const holds = ({ tenant_id }: KeywordQuery, words: readonly LookedUp[]): SQL =>
  sql`w.tenant_id = ${tenant_id} and w.tokens && ${tokensOf(words)}`;

const weightOf = (words: readonly LookedUp[]): SQL =>
  sql.join(
    words.map(
      ({ tokens, weight }) => sql`case when w.tokens && ${textArray(tokens)} then ${weight}::float8 else 0 end`,
    ),
    sql` + `,
  );
