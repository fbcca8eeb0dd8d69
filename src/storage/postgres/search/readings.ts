import { sql } from "drizzle-orm";
import { indexTerm } from "../../../text/words/index-terms.ts";
import type { Readings } from "../../../text/words/slips.ts";
import { hasForm, likeliestFirst, MEANT_ROWS_MAX, mayBeSlip, meantBy, SLIPS_MAX } from "../../../text/words/slips.ts";
import { textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import type { ReadableRows } from "./word-counts.ts";
import { rowsOf, tokensOfTerm } from "./word-counts.ts";

/**
 * What the words of a question that no readable row holds may have been meant as, told by the rows that the reader may see
 * alone: `stored` says how many hold each term of the question. Nothing is looked for where all words are held.
 */
export async function readingsOf(
  work: Work,
  words: readonly string[],
  { readable, stored }: { readonly readable: ReadableRows; readonly stored: ReadonlyMap<string, number> },
): Promise<Readings> {
  const absent = words.filter((word) => mayBeSlip(word) && !stored.has(indexTerm(word))).slice(0, SLIPS_MAX);
  const readings = new Map<string, string>();
  for (const word of absent) {
    const others = meantBy(word).filter((other) => !words.includes(other));
    const held = await rowsOf(work, [...new Set(others.map(indexTerm))], readable);
    const counted = likeliestFirst(others.map((other) => ({ word: other, rows: held.get(indexTerm(other)) ?? 0 })));
    for (const other of counted) {
      if (!(await isHeld(work, other.word, readable))) continue;
      readings.set(word, other.word);
      break;
    }
  }
  return readings;
}

/** Whether a row has a word itself, or with an ending, of those that hold its stem. */
async function isHeld(work: Work, word: string, readable: ReadableRows): Promise<boolean> {
  const rows = await work.rows<{ text: string }>(sql`
    select coalesce(m.title || ' ', '') || m.content as text
    from memory_words w join memories m on m.tenant_id = w.tenant_id and m.seq = w.seq
    where w.tenant_id = ${readable.tenant_id} and w.tokens && ${textArray(tokensOfTerm(indexTerm(word), readable))}
    order by w.seq desc limit ${MEANT_ROWS_MAX}`);
  return rows.some(({ text }) => hasForm(text, word));
}
