import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { DocumentHitQuery } from "../../../core/ports/document-store.ts";
import { indexTerm } from "../../../text/words/index-terms.ts";
import type { FoundWord, Postings } from "../../common/postings.ts";
import { postingsOf } from "../../common/postings.ts";
import { commonRows } from "../../common/word-weights.ts";
import { scopeWhere } from "../../documents/filters.ts";
import { recordsValue } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { postgresDialect } from "../units/dialect.ts";
import { tokenOf } from "./document-index.ts";

/** How many searchable documents a caller sees, in whatever collection and fleet: words are weighed among these. */
export async function readableDocuments(
  work: Work,
  { tenant_id, skill_visibility }: DocumentHitQuery,
): Promise<number> {
  const counted = await work.row<{ total: number }>(sql`select count(*) as total from documents
    where ${scopeWhere(postgresDialect, { tenant_id, skill_visibility })} and summary is not null`);
  return counted?.total ?? 0;
}

/**
 * Looks up the words of a query: weighed among the `total` documents that the caller sees, and with those of them that pass
 * the query's filter. Of a common word no more are read than tell so.
 */
export async function lookUpWords(work: Work, query: DocumentHitQuery, total: number): Promise<Postings> {
  const { tenant_id, words } = query;
  if (words.length === 0) return postingsOf([], total);
  const collections = await work.rows<{ id: number }>(sql`select id from collections where tenant_id = ${tenant_id}`);
  const asked = words.map((word, place) => {
    const term = indexTerm(word);
    return { place, tokens: collections.map(({ id }) => tokenOf(id, term)) };
  });
  const found = await work.rows<{ place: number; count: number; rows: string | null }>(sql`
    select asked.place, held.count, held.rows
    from json_to_recordset(${recordsValue(asked)}) as asked (place integer, tokens text[])
      cross join lateral (
        select count(*) as count, string_agg(seen.seq::text, ',' order by seen.seq desc) filter (where seen.passes) as rows
        from (${holding(query)} order by passes desc, seq desc limit ${commonRows(total) + 1}) seen) held`);
  const byPlace = new Map(found.map((one) => [one.place, one]));
  return postingsOf(
    words.map((word, place) => foundWord(word, byPlace.get(place)?.count ?? 0, byPlace.get(place)?.rows ?? "")),
    total,
  );
}

/** The documents that hold a word and that the caller sees, each with whether it passes the filter. */
function holding(query: DocumentHitQuery): SQL {
  const { tenant_id, collection, fleet_id, skill_visibility } = query;
  const held = sql`w.tenant_id = ${tenant_id} and w.tokens && asked.tokens`;
  // Of a document itself nothing need be read where all of them are seen and pass.
  if (collection === undefined && fleet_id === undefined && !skill_visibility)
    return sql`select w.seq, true as passes from document_words w where ${held}`;
  return sql`select w.seq, ${scopeWhere(postgresDialect, { tenant_id, collection, fleet_id })} as passes
    from document_words w join documents on documents.tenant_id = w.tenant_id and documents.seq = w.seq
    where ${held} and ${scopeWhere(postgresDialect, { tenant_id, skill_visibility })}`;
}

function foundWord(word: string, count: number, rows: string): FoundWord {
  const seqs = rows === "" ? [] : rows.split(",").map(Number);
  const among = new Set(seqs);
  return { word, count, rows: seqs, has: (seq) => among.has(seq) };
}
