import { sql } from "drizzle-orm";
import type { SearchableText } from "../../../core/ports/storage.ts";
import { indexTerms } from "../../../text/words/index-terms.ts";
import { otherSide, SIDES, sideOf, tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace, Side } from "../../options.ts";
import { textArray, vectorValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { signs } from "../vectors/codes.ts";
import type { MemberedRow } from "./members.ts";

/** A word as the index has it: under the number of the document's collection. */
export const tokenOf = (collection: number, word: string): string => `${collection}:${word}`;

/** Writes or replaces the words that search reads of a document, inside the caller's transaction. */
export async function putDocumentWords(
  work: TenantWork,
  { seq, collection }: MemberedRow,
  { summary, text }: SearchableText,
): Promise<void> {
  const number = await collectionNumber(work, collection);
  const words = new Set([...indexTerms(summary), ...indexTerms(text)]);
  const tokens = [...words].map((word) => tokenOf(number, word));
  await work.run(sql`insert into document_words (tenant_id, seq, tokens)
    values (${work.tenant_id}, ${seq}, ${textArray(tokens)})
    on conflict (tenant_id, seq) do update set tokens = excluded.tokens`);
}

/** Takes a document's words out of search. */
export const removeDocumentWords = (work: TenantWork, seq: number): Promise<number> =>
  work.run(sql`delete from document_words where tenant_id = ${work.tenant_id} and seq = ${seq}`);

/** Writes or replaces a document's vector, exact and coarse. */
export async function putDocumentVector(
  work: TenantWork,
  space: EmbedderSpace,
  { seq, collection }: MemberedRow,
  vector: Float32Array,
): Promise<void> {
  const tables = tablesOf(space);
  const { tenant_id } = work;
  await work.run(sql`insert into ${sql.raw(tables.document_vectors)} (tenant_id, seq, embedder_id, vector)
    values (${tenant_id}, ${seq}, ${space.id}, ${vectorValue(vector)})
    on conflict (tenant_id, seq) do update set embedder_id = excluded.embedder_id, vector = excluded.vector`);
  const number = await collectionNumber(work, collection);
  await work.run(sql`insert into ${sql.raw(tables.document_codes)} (tenant_id, seq, embedder_id, collection, code)
    values (${tenant_id}, ${seq}, ${space.id}, ${number}, ${signs(vector, space.center)}::text::bit varying)
    on conflict (tenant_id, seq) do update set embedder_id = excluded.embedder_id,
      collection = excluded.collection, code = excluded.code`);
}

/** Takes a document's vector out of search. */
export async function removeDocumentVector(work: TenantWork, seq: number): Promise<void> {
  for (const side of ["a", "b"] as const) await removeSide(work, side, seq);
}

/** Forgets the vector that the model beside the one of this space made of a document. */
export const removeOtherDocumentVector = (
  work: TenantWork,
  space: Pick<EmbedderSpace, "side">,
  seq: number,
): Promise<void> => removeSide(work, otherSide(sideOf(space)), seq);

async function removeSide(work: TenantWork, side: Side, seq: number): Promise<void> {
  const of = sql`where tenant_id = ${work.tenant_id} and seq = ${seq}`;
  await work.run(sql`delete from ${sql.raw(SIDES[side].document_codes)} ${of}`);
  await work.run(sql`delete from ${sql.raw(SIDES[side].document_vectors)} ${of}`);
}

/** The number of a collection, given at its first document. */
async function collectionNumber(work: TenantWork, name: string): Promise<number> {
  const known = () =>
    work.row<{ id: number }>(sql`select id from collections where tenant_id = ${work.tenant_id} and name = ${name}`);
  const row = await known();
  if (row) return row.id;
  await work.run(sql`insert into collections (tenant_id, name) values (${work.tenant_id}, ${name})
    on conflict do nothing`);
  const added = await known();
  if (!added) throw new Error("The collection just written cannot be read.");
  return added.id;
}
