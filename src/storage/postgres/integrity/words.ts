import { sql } from "drizzle-orm";
import { recordsValue } from "../engine/values.ts";
import type { Engine, Work } from "../engine/work.ts";
import { tokenOf, wordsOf } from "../search/keyword-index.ts";
import type { Slice } from "./slices.ts";
import { ofTenant, within } from "./slices.ts";

interface Row {
  readonly audience: number;
  readonly title: string | null;
  readonly content: string;
  readonly tokens: readonly string[] | null;
}

/** Live memories of a slice whose words are not in the index as their texts have them. */
export async function misworded(work: Work, slice: Slice): Promise<number> {
  const rows = await work.rows<Row>(sql`select m.audience, m.title, m.content, w.tokens from memories m
    left join memory_words w on w.tenant_id = m.tenant_id and w.seq = m.seq and w.audience = m.audience
    where ${within("m", slice)} and m.deleted_at is null`);
  return rows.filter((row) => !isWorded(row)).length;
}

function isWorded({ audience, tokens, ...row }: Row): boolean {
  if (tokens === null) return false;
  const words = wordsOf(row);
  const found = new Set(tokens);
  return found.size === words.length && words.every((word) => found.has(tokenOf(audience, word)));
}

/** How far the count of each word is off, under each set of readers. */
const wordsOff = (tenant: string | null) => sql`
  select tenant_id, audience, word, coalesce(c.stored, 0) - coalesce(r.stored, 0) as off
  from (select w.tenant_id, w.audience, substr(t.token, strpos(t.token, ':') + 1) as word, count(*) as stored
      from memory_words w cross join lateral unnest(w.tokens) as t (token)
      where ${ofTenant(sql`w.tenant_id`, tenant)} group by 1, 2, 3) c
    full join (select * from word_rows where ${ofTenant(sql`tenant_id`, tenant)}) r using (tenant_id, audience, word)
  where coalesce(c.stored, 0) <> coalesce(r.stored, 0)`;

/** Words whose count is not that of the rows that have them. */
export const wordCountFaults = (tenant: string | null) => sql`select count(*) as n from (${wordsOff(tenant)}) w`;

/** Counts moved in one transaction: the tenant's writes wait for it. */
const MOVED_AT_A_TIME = 5_000;

/** Counts the words of a tenant again. What is off is read beside the calls of others: they move counts and words alike. */
export async function recountWords(engine: Engine, tenant: string): Promise<void> {
  const off = await engine.snapshot(async (work) => {
    await work.run(sql`select set_config('statement_timeout', '0', true)`);
    return work.rows<{ audience: number; word: string; off: number }>(
      sql`select audience, word, off from (${wordsOff(tenant)}) w`,
    );
  });
  for (let i = 0; i < off.length; i += MOVED_AT_A_TIME) {
    const some = sql`json_to_recordset(${recordsValue(off.slice(i, i + MOVED_AT_A_TIME))})
      as c (audience bigint, word text, off bigint)`;
    await engine.write(tenant, async (work) => {
      await work.run(sql`insert into word_rows (tenant_id, audience, word, stored)
        select ${tenant}, c.audience, c.word, c.off from ${some}
        on conflict (tenant_id, audience, word) do update set stored = word_rows.stored + excluded.stored`);
      await work.run(sql`delete from word_rows r using ${some}
        where r.tenant_id = ${tenant} and r.audience = c.audience and r.word = c.word and r.stored <= 0`);
    });
  }
}
