import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { DocumentHitQuery } from "../../../core/ports/document-store.ts";
import { tablesOf } from "../../common/sides.ts";
import { scopeWhere } from "../../documents/filters.ts";
import { settled } from "../engine/dialect.ts";
import type { Work } from "../engine/work.ts";
import { postgresDialect } from "../units/dialect.ts";
import { signs } from "../vectors/codes.ts";

/** How many times the pool the index is asked for, so that those that do not pass the filter may be left out. */
const INDEX_SHARE = 4;

/**
 * The numbers of the documents of a query's filter whose codes differ least from its vector's, nearest first. The index is
 * asked first where the caller sees many documents; where the filter leaves it short, all codes that pass are compared.
 */
export async function nearestDocuments(work: Work, query: DocumentHitQuery, seen: number): Promise<number[]> {
  const { vector, pool } = query;
  const { space } = work;
  if (vector?.embedder_id !== space.id) return [];
  const code = sql`${signs(vector.values, space.center)}::text::${bitsOf(work)}`;
  const found =
    work.dialect.hasCodeIndex && seen >= work.dialect.indexedRowsMin ? await byIndex(work, query, code) : [];
  return found.length >= pool ? found : byComparison(work, query, code);
}

const bitsOf = ({ space }: Work): SQL => sql.raw(`bit(${space.dimensions})`);
const codesOf = ({ space }: Work): SQL => sql.raw(tablesOf(space).document_codes);

/** What passes of the tenant's nearest; these are found before the rest is read, as a planner expects few codes of one length. */
async function byIndex(work: Work, query: DocumentHitQuery, code: SQL): Promise<number[]> {
  const { tenant_id, pool } = query;
  const rows = await work.rows<{ seq: number }>(sql`
    with near as materialized (
      select c.seq, (c.code::${bitsOf(work)}) <~> ${code} as far from ${codesOf(work)} c
      where ${settled(work.dialect)} and c.tenant_id = ${tenant_id} and c.embedder_id = ${work.space.id}
        and length(c.code) = ${sql.raw(String(work.space.dimensions))}
      order by (c.code::${bitsOf(work)}) <~> ${code} limit ${pool * INDEX_SHARE})
    select near.seq from near join documents on documents.tenant_id = ${tenant_id} and documents.seq = near.seq
    where ${scopeWhere(postgresDialect, query)} order by near.far, near.seq limit ${pool}`);
  return rows.map(({ seq }) => seq);
}

/** Of all that pass, compared one by one. */
async function byComparison(work: Work, query: DocumentHitQuery, code: SQL): Promise<number[]> {
  const rows = await work.rows<{ seq: number }>(sql`
    select c.seq from ${codesOf(work)} c
      join documents on documents.tenant_id = c.tenant_id and documents.seq = c.seq
    where c.tenant_id = ${query.tenant_id} and c.embedder_id = ${work.space.id} and ${scopeWhere(postgresDialect, query)}
    order by bit_count(c.code # ${code}), c.seq limit ${query.pool}`);
  return rows.map(({ seq }) => seq);
}
