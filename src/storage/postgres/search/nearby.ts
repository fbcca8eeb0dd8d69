import { sql } from "drizzle-orm";
import type { ContradictionStore } from "../../../core/ports/contradiction-store.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import { indexTerm } from "../../../text/words/index-terms.ts";
import { inverseDocumentFrequency } from "../../../text/words/inverse-document-frequency.ts";
import { significantTerms } from "../../../text/words/terms.ts";
import type { Products } from "../../common/closeness.ts";
import { closenessTo } from "../../common/closeness.ts";
import { tablesOf } from "../../common/sides.ts";
import type { Nearby, SharedWords } from "../../conflicts/candidates.ts";
import { findCandidates, WORD_ROWS_MAX } from "../../conflicts/candidates.ts";
import { memoryWhere } from "../../memories/filters.ts";
import { wait } from "../../units/unit.ts";
import { vectorIn } from "../../units/vectors.ts";
import { intArray, sentVector, textArray, vectorOrNull } from "../engine/values.ts";
import type { Engine, Work } from "../engine/work.ts";
import { postgresDialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";
import { keywordLeg } from "./keyword-leg.ts";
import { nearestRows } from "./nearest.ts";
import { readableRows, rowsOf, tokensOfTerm } from "./word-counts.ts";

/** Rows that a row may contradict, as they are found here. */
export const postgresCandidates =
  ({ snapshot }: Engine): ContradictionStore["candidates"] =>
  (query) =>
    snapshot((work) => drive(work, findCandidates({ dialect: postgresDialect }, nearbyIn(work), query)));

const nearbyIn = (work: Work): Nearby => ({
  meaning: (filter, seq, embedder_id) =>
    wait(async () => {
      const own = embedder_id === work.space.id ? await ownVector(work, filter.tenant_id, seq) : null;
      return (
        own && {
          nearest: (pool) => wait(() => nearestRows(work, work.space, { filter, pool }, own)),
          closeness: (seqs) => wait(() => closenessOf(work, filter.tenant_id, own, seqs)),
        }
      );
    }),
  words: (filter, text) => wait(() => sharedWords(work, filter, text)),
});

/** The vector of a row by itself, without the row before it. */
async function ownVector(work: Work, tenant_id: string, seq: number): Promise<Float32Array | null> {
  const row = await work.row<{ vector: string }>(sql`
    select ${sentVector(sql`vector`)} as vector from ${sql.raw(tablesOf(work.space).memory_vectors)}
    where tenant_id = ${tenant_id} and seq = ${seq} and embedder_id = ${work.space.id}`);
  return row && vectorIn(row.vector);
}

/** How near rows are to one; those without a vector of this embedder, and silent ones, are left out. */
async function closenessOf({ rows, space }: Work, tenant_id: string, own: Float32Array, seqs: readonly number[]) {
  const products = await rows<Products & { readonly seq: number }>(sql`
    with asked as materialized (select ${vectorOrNull(own)} as own, ${vectorOrNull(space.center)} as center)
    select v.seq, -(v.vector <#> a.own) as own, -(v.vector <#> a.center) as center
    from ${sql.raw(tablesOf(space).memory_vectors)} v cross join asked a
    where v.tenant_id = ${tenant_id} and v.seq = any(${intArray(seqs)}) and v.embedder_id = ${space.id}
      and not ${postgresDialect.isSilent(sql`v.vector`)}`);
  const closeness = closenessTo(space, own);
  return new Map(products.map((one) => [one.seq, closeness(one)]));
}

/** Looks up the words of a text among the rows that a filter lets its reader see. */
async function sharedWords(work: Work, filter: MemoryFilter, text: string): Promise<SharedWords> {
  const { tenant_id } = filter;
  const readable = await readableRows(work, filter);
  const asked = significantTerms(text).map((word) => ({ word, term: indexTerm(word) }));
  const terms = asked.map(({ term }) => term);
  const stored = await rowsOf(work, terms, readable);
  const words = asked.flatMap(({ word, term }) => {
    const rows = stored.get(term) ?? 0;
    if (rows > WORD_ROWS_MAX) return [];
    return [
      { word, rows, tokens: tokensOfTerm(term, readable), weight: inverseDocumentFrequency(rows, readable.total) },
    ];
  });
  const whole = words.reduce((sum, { weight }) => sum + weight, 0);
  const weighed = words.map(
    ({ tokens, weight }) => sql`case when w.tokens && ${textArray(tokens)} then ${weight}::float8 else 0 end`,
  );
  return {
    most: (pool) =>
      wait(() => keywordLeg(work, { tenant_id, words, where: memoryWhere(postgresDialect, filter), pool })),
    shares: (seqs) =>
      wait(async () => {
        if (whole === 0 || seqs.length === 0) return new Map();
        const held = await work.rows<{ seq: number; weight: number }>(sql`
          select w.seq, ${sql.join(weighed, sql` + `)} as weight from memory_words w
          where w.tenant_id = ${tenant_id} and w.seq = any(${intArray(seqs)})`);
        return new Map(held.map(({ seq, weight }) => [seq, weight / whole]));
      }),
  };
}
