import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Slice } from "../../integrity/slices.ts";
import { within } from "../../integrity/slices.ts";
import type { Columns } from "../../units/dialect.ts";
import type { Unit } from "../../units/unit.ts";
import { rows, run } from "../../units/unit.ts";
import type { Runner } from "../../units/work.ts";
import { tokenOf, wordsOf } from "../search/keyword-index.ts";
import { postgresDialect } from "../units/dialect.ts";

interface Row {
  readonly audience: number;
  readonly title: string | null;
  readonly content: string;
  readonly tokens: readonly string[];
}

const ofTenant = (table: string, tenant: string | null): SQL =>
  tenant === null ? sql`true` : postgresDialect.tenant(table, tenant);

/** Live memories of a slice that are in the index with other words than their texts have; none while a job words rows anew. */
export function* misworded(slice: Slice, tenant: string | null): Unit<number> {
  const found = yield* rows<Row>(sql`select m.audience, m.title, m.content, w.tokens from memories m
    join memory_words w on w.tenant_id = m.tenant_id and w.seq = m.seq and w.audience = m.audience
    where ${within("m.seq", slice)} and ${ofTenant("m", tenant)} and m.deleted_at is null
      and not exists (select 1 from jobs where jobs.kind = 'reword_rows')`);
  return found.filter(({ audience, tokens, ...row }) => {
    const words = wordsOf(row).map((word) => tokenOf(audience, word));
    return new Set(words).symmetricDifference(new Set(tokens)).size > 0;
  }).length;
}

/** How far the count of each word is off, under each set of readers. */
export const wordsOff = (tenant: string | null): SQL => sql`
  select tenant_id, audience, word, coalesce(c.stored, 0) - coalesce(r.stored, 0) as off
  from (select w.tenant_id, w.audience, substr(t.token, strpos(t.token, ':') + 1) as word, count(*) as stored
      from memory_words w cross join lateral unnest(w.tokens) as t (token)
      where ${ofTenant("w", tenant)} group by 1, 2, 3) c
    full join (select * from word_rows where ${ofTenant("word_rows", tenant)}) r using (tenant_id, audience, word)
  where coalesce(c.stored, 0) <> coalesce(r.stored, 0)`;

/** However long it takes: nobody waits for what looks through whole tables of a large database. */
export const withoutTimeout = sql`select set_config('statement_timeout', '0', true)`;

/** Counts moved in one transaction: the tenant's writes wait for it. */
const MOVED_AT_A_TIME = 5_000;
const OFF: Columns = { audience: "int", word: "text", off: "int" };

/** Counts the words of each tenant again. What is off is read beside the calls of others: they move counts and words alike. */
export async function recountWords(runner: Runner): Promise<void> {
  const tenants = await runner.look(() =>
    rows<{ id: string }>(sql`select tenant_id as id from tenant_usage order by 1`),
  );
  for (const { id } of tenants) await recountTenant(runner, id);
}

async function recountTenant({ snapshot, write }: Runner, tenant: string): Promise<void> {
  const off = await snapshot(function* () {
    yield* rows(withoutTimeout);
    return yield* rows<object>(sql`select audience, word, off from (${wordsOff(tenant)}) w`);
  });
  for (let i = 0; i < off.length; i += MOVED_AT_A_TIME) {
    const some = postgresDialect.records(off.slice(i, i + MOVED_AT_A_TIME), "c", OFF);
    await write(tenant, function* () {
      yield* run(sql`insert into word_rows (tenant_id, audience, word, stored)
        select ${tenant}, c.audience, c.word, c.off from ${some}
        on conflict (tenant_id, audience, word) do update set stored = word_rows.stored + excluded.stored`);
      yield* run(sql`delete from word_rows r using ${some}
        where r.tenant_id = ${tenant} and r.audience = c.audience and r.word = c.word and r.stored <= 0`);
    });
  }
}
