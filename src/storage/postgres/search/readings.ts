import { sql } from "drizzle-orm";
import { indexTerm } from "../../../text/words/index-terms.ts";
import type { ReadableWords } from "../../search/readings.ts";
import { wait } from "../../units/unit.ts";
import { textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import type { ReadableRows } from "./word-counts.ts";
import { rowsOf, tokensOfTerm } from "./word-counts.ts";

/** How words are looked up in the index of this engine. */
export const wordsAmong = (work: Work, readable: ReadableRows): ReadableWords => ({
  count: (words) =>
    wait(async () => {
      const held = await rowsOf(work, [...new Set(words.map(indexTerm))], readable);
      return new Map(words.map((word) => [word, held.get(indexTerm(word)) ?? 0]));
    }),
  texts: (word, most) =>
    wait(async () => {
      const rows = await work.rows<{ text: string }>(sql`
        select coalesce(m.title || ' ', '') || m.content as text
        from memory_words w join memories m on m.tenant_id = w.tenant_id and m.seq = w.seq
        where w.tenant_id = ${readable.tenant_id} and w.tokens && ${textArray(tokensOfTerm(indexTerm(word), readable))}
        order by w.seq desc limit ${most}`);
      return rows.map(({ text }) => text);
    }),
});
