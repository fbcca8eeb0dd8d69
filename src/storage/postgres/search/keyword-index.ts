import { sql } from "drizzle-orm";
import { indexTerms } from "../../../text/words/index-terms.ts";
import { wordedText } from "../../common/title-words.ts";
import type { WordedRow } from "../../units/memory-index.ts";
import { intArray, recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

/** Writes or replaces the keywords of stored rows, under their readers of now, inside the caller's transaction. */
export async function putWords(work: TenantWork, rows: readonly WordedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { tenant_id } = work;
  await removeWords(
    work,
    rows.map(({ seq }) => seq),
  );
  const worded = rows.map(({ seq, audience, title, content }) => {
    const words = wordsOf({ title, content });
    return { seq, audience, tokens: words.map((word) => tokenOf(audience, word)), words };
  });
  const stored = worded.map(({ seq, audience, tokens }) => ({ seq, audience, tokens }));
  await work.run(sql`insert into memory_words (tenant_id, seq, audience, tokens)
    select ${tenant_id}, w.seq, w.audience, w.tokens
    from json_to_recordset(${recordsValue(stored)}) as w (seq bigint, audience bigint, tokens text[])`);
  await count(work, worded, 1);
}

/** The words under which a row is found. */
export const wordsOf = (row: Pick<WordedRow, "title" | "content">): string[] => indexTerms(wordedText(row));

/** A word as the index has it: under the number of those who may read the row. */
export const tokenOf = (audience: number, word: string): string => `${audience}:${word}`;

/** Takes rows out of the keyword index. */
export async function removeWords(work: TenantWork, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  const removed = await work.rows<{ audience: number; tokens: string[] }>(sql`delete from memory_words
    where tenant_id = ${work.tenant_id} and seq = any(${intArray(seqs)}) returning audience, tokens`);
  const worded = removed.map(({ audience, tokens }) => ({
    audience,
    words: tokens.map((token) => token.slice(token.indexOf(":") + 1)),
  }));
  await count(work, worded, -1);
}

/** Changes how many rows hold each word, by readers. */
async function count(
  work: TenantWork,
  worded: readonly { readonly audience: number; readonly words: readonly string[] }[],
  by: 1 | -1,
): Promise<void> {
  const counts = new Map<string, { audience: number; word: string; stored: number }>();
  for (const { audience, words } of worded) {
    for (const word of words) {
      const key = tokenOf(audience, word);
      const known = counts.get(key) ?? { audience, word, stored: 0 };
      known.stored += by;
      counts.set(key, known);
    }
  }
  if (counts.size === 0) return;
  const { tenant_id } = work;
  const changes = sql`json_to_recordset(${recordsValue([...counts.values()])}) as c (audience bigint, word text, stored bigint)`;
  if (by > 0) {
    await work.run(sql`insert into word_rows (tenant_id, audience, word, stored)
      select ${tenant_id}, c.audience, c.word, c.stored from ${changes}
      on conflict (tenant_id, audience, word) do update set stored = word_rows.stored + excluded.stored`);
    return;
  }
  await work.run(sql`update word_rows r set stored = r.stored + c.stored from ${changes}
    where r.tenant_id = ${tenant_id} and r.audience = c.audience and r.word = c.word`);
  await work.run(sql`delete from word_rows r using ${changes}
    where r.tenant_id = ${tenant_id} and r.audience = c.audience and r.word = c.word and r.stored <= 0`);
}
