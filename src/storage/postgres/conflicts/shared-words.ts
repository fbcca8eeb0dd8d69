import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import { indexTerm } from "../../../text/words/index-terms.ts";
import { inverseDocumentFrequency } from "../../../text/words/inverse-document-frequency.ts";
import { significantTerms } from "../../../text/words/terms.ts";
import type { Audience } from "../../common/audiences.ts";
import { textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { memoryWhere } from "../memories/filters.ts";
import { tokenOf } from "../search/keyword-index.ts";
import { keywordLeg } from "../search/keyword-leg.ts";
import type { LookedUp } from "../search/looked-up.ts";
import { readableAmong, rowsOf } from "../search/word-counts.ts";

/** A word in more rows than this tells too little of what a row is about: its rows are not looked through. */
const WORD_ROWS_MAX = 512;

/** What of a text's words tells rows apart. */
export interface TellingWords {
  readonly words: readonly LookedUp[];
  /** The weight of all of them. */
  readonly whole: number;
}

/** Looks up the words of a text among the rows that a filter lets its reader see; those in too many rows are left out. */
export async function tellingWords(
  work: Work,
  { filter, audiences }: { readonly filter: MemoryFilter; readonly audiences: readonly Audience[] },
  text: string,
): Promise<TellingWords> {
  const readable = readableAmong(audiences, filter);
  const asked = significantTerms(text).map((word) => ({ word, term: indexTerm(word) }));
  const terms = asked.map(({ term }) => term);
  const stored = await rowsOf(work, terms, readable);
  const words = asked.flatMap(({ word, term }) => {
    const rows = stored.get(term) ?? 0;
    if (rows > WORD_ROWS_MAX) return [];
    const tokens = readable.audiences.map((audience) => tokenOf(audience, term));
    return [{ word, rows, tokens, weight: inverseDocumentFrequency(rows, readable.total) }];
  });
  return { words, whole: words.reduce((sum, { weight }) => sum + weight, 0) };
}

/** The rows of a filter that share most of the words, most first; newer ones first among equals. */
export const sharingMost = (
  work: Work,
  filter: MemoryFilter,
  { words }: TellingWords,
  count: number,
): Promise<number[]> =>
  keywordLeg(work, { tenant_id: filter.tenant_id, words, where: memoryWhere(filter), pool: count });

/**
 * SQL of how much of the words the row `held` of `memory_words` shares, 0 to 1: the weight of those shared, in that of all.
 * Rare words weigh most, those in too many rows nothing.
 */
export function shareOf({ words, whole }: TellingWords): SQL {
  if (whole === 0 || words.length === 0) return sql`0`;
  const weights = words.map(
    ({ tokens, weight }) => sql`case when held.tokens && ${textArray(tokens)} then ${weight}::float8 else 0 end`,
  );
  return sql`coalesce((${sql.join(weights, sql` + `)}) / ${whole}::float8, 0)`;
}
