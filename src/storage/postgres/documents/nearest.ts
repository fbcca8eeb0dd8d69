import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { DocumentHitQuery } from "../../../core/ports/document-store.ts";
import { tablesOf } from "../../common/sides.ts";
import type { Work } from "../engine/work.ts";
import { signs } from "../vectors/codes.ts";
import { scopeWhere } from "./filters.ts";

/** With fewer documents than this, to compare all of them takes less time than to go through an index. */
const INDEXED_ROWS_MIN = 5_000;

/**
 * The numbers of the documents of a query's filter whose codes differ least from its vector's, nearest first. The index is
 * asked first where the caller sees many documents; where the filter leaves it short, all codes that pass are compared.
 */
export async function nearestDocuments(work: Work, query: DocumentHitQuery, seen: number): Promise<number[]> {
  const { vector, pool } = query;
  const { space } = work;
  if (vector?.embedder_id !== space.id) return [];
  const bits = sql.raw(`bit(${space.dimensions})`);
  const code = sql`${signs(vector.values, space.center)}::text::${bits}`;
  if (work.dialect.hasCodeIndex && seen >= INDEXED_ROWS_MIN) {
    const length = sql`length(c.code) = ${sql.raw(String(space.dimensions))}`;
    const settings = work.dialect.searchSettings.map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
    await work.run(sql`select ${sql.join(settings, sql`, `)}`);
    const found = await look(work, query, { where: length, order: sql`(c.code::${bits}) <~> ${code}` });
    if (found.length >= pool) return found;
  }
  return look(work, query, { where: sql`true`, order: sql`bit_count(c.code # ${code}), c.seq` });
}

async function look(
  work: Work,
  query: DocumentHitQuery,
  { where, order }: { readonly where: SQL; readonly order: SQL },
): Promise<number[]> {
  const rows = await work.rows<{ seq: number }>(sql`
    select c.seq from ${sql.raw(tablesOf(work.space).document_codes)} c
      join documents on documents.tenant_id = c.tenant_id and documents.seq = c.seq
    where c.tenant_id = ${query.tenant_id} and c.embedder_id = ${work.space.id} and ${where} and ${scopeWhere(query)}
    order by ${order} limit ${query.pool}`);
  return rows.map(({ seq }) => seq);
}
