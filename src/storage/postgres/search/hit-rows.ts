import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { HitExtra, HitMemory } from "../../../core/ports/hits.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { StoredLink } from "../../../core/ports/stored-memory.ts";
import { tablesOf } from "../../common/sides.ts";
import { memoryWhere } from "../../memories/filters.ts";
import type { EmbedderSpace } from "../../options.ts";
import { intArray, textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { postgresDialect } from "../units/dialect.ts";

/** A row as a search reads it: with its place in its run, the words that it and its neighbours hold, and its cosines. */
export interface HitRow extends Omit<HitMemory, HitExtra> {
  readonly entity_links: StoredLink[] | null;
  readonly system_metadata: JsonObject | null;
  readonly seq: number;
  readonly previous_seq: number | null;
  /** Bits of words in the order of the query. */
  readonly own_words: number;
  readonly near_words: number;
  readonly vec_sim: number | null;
  readonly context_sim: number | null;
}

/** What of a question is held against the rows. */
export interface Compared {
  readonly filter: MemoryFilter;
  readonly space: EmbedderSpace;
  /** The question's vector; nothing is near to null, which stands for none. */
  readonly asked: SQL;
  /** Each word of the query as the index has it under each of the readers. */
  readonly tokens: readonly (readonly string[])[];
  readonly extras: readonly HitExtra[];
}

const COLUMNS = sql.raw(
  "id title content memory_type status run_id created_at ts_valid_start ts_valid_end seq previous_seq"
    .split(" ")
    .map((name) => `memories.${name}`)
    .join(", "),
);

/** The numbers of rows, in their order, as a statement finds them or as they are known. */
export const foundBy = (seqs: SQL): SQL => sql`(select seq, row_number() over () as place from (${seqs}) s)`;
export const foundBefore = (seqs: readonly number[]): SQL => sql`unnest(${intArray(seqs)}) with ordinality`;

/**
 * Rows by their numbers and in their order; cosines are those of the exact vectors, and null where there is none of the
 * space's embedder.
 */
export async function readHitRows(work: Work, compared: Compared, found: SQL): Promise<HitRow[]> {
  const { filter, space, asked, tokens, extras } = compared;
  const extra = (name: HitExtra) => (extras.includes(name) ? sql.raw(`memories.${name}`) : sql`null::json`);
  const wordsOf = (alias: string) => bitsOf(alias, tokens);
  const rows = await work.rows<{ row: string }>(sql`
    with asked as materialized (select ${asked} as vector)
    select row_to_json(hit)::text as row from (select ${COLUMNS}, ${extra("entity_links")} as entity_links, ${extra("system_metadata")} as system_metadata,
      ${wordsOf("own")} as own_words,
      ${wordsOf("before")} | coalesce((
        select ${wordsOf("after")} from memories n
          join memory_words after on after.tenant_id = n.tenant_id and after.seq = n.seq
        where n.tenant_id = memories.tenant_id and n.previous_seq = memories.seq limit 1), 0) as near_words,
      ${cosine("vector")} as vec_sim,
      ${cosine("context")} as context_sim
    from ${found} as found (seq, place)
      join memories on memories.seq = found.seq
      cross join asked
      left join memory_words own on own.tenant_id = memories.tenant_id and own.seq = memories.seq
      left join memory_words before on before.tenant_id = memories.tenant_id and before.seq = memories.previous_seq
      left join ${sql.raw(tablesOf(space).memory_vectors)} v
        on v.tenant_id = memories.tenant_id and v.seq = memories.seq and v.embedder_id = ${space.id}
    where ${memoryWhere(postgresDialect, filter)}
    order by found.place) hit`);
  // Safe: it has the columns of the statement. One text a row is read in a third of the time that one a column takes.
  return rows.map(({ row }) => JSON.parse(row) as HitRow);
}

/** A vector that is missing, or of zeros, tells nothing. */
const cosine = (stored: string) =>
  sql.raw(`case when v.${stored} is null or asked.vector is null then null
    else nullif((1 - (v.${stored} <=> asked.vector))::float8, 'NaN') end`);

/** SQL of the bits of the words that a row's tokens hold. */
function bitsOf(alias: string, words: Compared["tokens"]) {
  const bits = words.map(
    (tokens, i) =>
      sql`case when ${sql.raw(alias)}.tokens && ${textArray(tokens)} then ${sql.raw(String(1 << i))} else 0 end`,
  );
  return bits.length === 0 ? sql`0` : sql`(${sql.join(bits, sql` | `)})`;
}
