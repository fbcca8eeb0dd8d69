import { sql } from "drizzle-orm";
import { indexTerm } from "../../../text/words/index-terms.ts";
import { commonRows, weighWords } from "../../common/word-weights.ts";
import { documents } from "../engine/tables.ts";
import { recordsValue } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import type { LookedUp } from "../search/word-counts.ts";
import type { DocumentScope } from "./filters.ts";
import { scopeWhere } from "./filters.ts";
import { tokenOf } from "./indexes.ts";

/** The searchable documents that a caller sees, in whatever collection and fleet: no others are counted. */
export interface ReadableDocuments extends Pick<DocumentScope, "tenant_id" | "skill_visibility"> {
  /** Numbers of the tenant's collections. */
  readonly collections: readonly number[];
  /** How many documents there are. */
  readonly total: number;
}

/** What of a tenant's searchable documents a caller may see. */
export async function readableDocuments(
  work: Work,
  { tenant_id, skill_visibility }: DocumentScope,
): Promise<ReadableDocuments> {
  const collections = await work.rows<{ id: number }>(
    sql`select id from collections where tenant_id = ${tenant_id} order by id`,
  );
  const counted = await work.row<{ total: number }>(sql`select count(*) as total from documents
    where ${scopeWhere({ tenant_id, skill_visibility })} and ${documents.summary} is not null`);
  return { tenant_id, skill_visibility, collections: collections.map(({ id }) => id), total: counted?.total ?? 0 };
}

/** Counts and weighs words among the documents that a caller sees; of a common word no more are counted than tell so. */
export async function lookUpWords(
  work: Work,
  words: readonly string[],
  { tenant_id, skill_visibility, collections, total }: ReadableDocuments,
): Promise<LookedUp[]> {
  const asked = words.map((word, i) => {
    const term = indexTerm(word);
    return { i, tokens: collections.map((collection) => tokenOf(collection, term)) };
  });
  const seen = skill_visibility
    ? sql`join documents on documents.tenant_id = w.tenant_id and documents.seq = w.seq
        where ${scopeWhere({ tenant_id, skill_visibility })} and`
    : sql`where`;
  const counts = await work.rows<{ i: number; rows: number }>(sql`
    select asked.i, counted.rows from json_to_recordset(${recordsValue(asked)}) as asked (i integer, tokens text[])
      cross join lateral (
        select count(*) as rows from (
          select 1 from document_words w ${seen} w.tenant_id = ${tenant_id} and w.tokens && asked.tokens
          limit ${commonRows(total) + 1}) found) counted`);
  const stored = new Map(counts.map(({ i, rows }) => [i, rows]));
  const counted = words.map((word, i) => ({ word, rows: stored.get(i) ?? 0 }));
  return weighWords(counted, total).map((weighed, i) => ({ ...weighed, tokens: asked[i]?.tokens ?? [] }));
}
