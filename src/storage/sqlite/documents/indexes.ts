import { and, eq, sql } from "drizzle-orm";
import type { DocumentHitQuery } from "../../../core/ports/document-store.ts";
import type { SearchableText } from "../../../core/ports/storage.ts";
import { indexedWords } from "../../../text/words/terms.ts";
import { otherSide, SIDES, sideOf, tablesOf } from "../../common/sides.ts";
import { signCode } from "../../common/sign-code.ts";
import type { EmbedderSpace, Side } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import { collections } from "../engine/tables.ts";
import { vectorBlob } from "../memories/rows.ts";
import { codeValue, nearestPlain } from "../vectors/code-tables.ts";
import { codeSpace } from "../vectors/vectors.ts";

interface IndexedRow {
  readonly seq: number;
  readonly tenant_id: string;
  readonly collection: string;
}

/** Writes or replaces the words that search reads of a document, inside the caller's transaction. */
export function putDocumentWords(
  db: Pick<Connections, "writeConnection">,
  seq: number,
  searchable: SearchableText,
): void {
  db.writeConnection
    .query("insert or replace into document_words (rowid, summary, text) values (?, ?, ?)")
    .run(seq, indexedWords(searchable.summary), indexedWords(searchable.text));
}

/** Writes or replaces a document's vector, exact and coarse. */
export function putDocumentVector(db: Connections, space: EmbedderSpace, row: IndexedRow, vector: Float32Array): void {
  const tables = tablesOf(space);
  db.writeConnection.query(`delete from ${tables.document_codes} where seq = ?`).run(row.seq);
  db.writeConnection
    .query(`insert or replace into ${tables.document_vectors} (seq, embedder_id, vector) values (?, ?, ?)`)
    .run(row.seq, space.id, vectorBlob(vector));
  const collection = collectionNumber(db, row);
  db.writeConnection
    .query(`insert into ${tables.document_codes} (space, seq, collection, code) values (?, ?, ?, ${codeValue(db)})`)
    .run(codeSpace(row.tenant_id, space.id), row.seq, collection, signCode(vector, space.center));
}

/** Takes a document's vector out of search. */
export function removeDocumentVector(db: Connections, seq: number): void {
  removeSide(db, "a", seq);
  removeSide(db, "b", seq);
}

/** Forgets the vector that the model beside the one of this space made of a document. */
export const removeOtherDocumentVector = (db: Connections, space: Pick<EmbedderSpace, "side">, seq: number): void =>
  removeSide(db, otherSide(sideOf(space)), seq);

function removeSide(db: Connections, side: Side, seq: number): void {
  const tables = SIDES[side];
  db.writeConnection.query(`delete from ${tables.document_codes} where seq = ?`).run(seq);
  db.writeConnection.query(`delete from ${tables.document_vectors} where seq = ?`).run(seq);
}

/** Takes a document's words out of search. */
export function removeDocumentWords(db: Connections, seq: number): void {
  db.writeConnection.query("delete from document_words where rowid = ?").run(seq);
}

function collectionNumber(db: Connections, { tenant_id, collection }: IndexedRow): number {
  const named = and(eq(collections.tenant_id, tenant_id), eq(collections.name, collection));
  db.drizzleWrite.insert(collections).values({ tenant_id, name: collection }).onConflictDoNothing().run();
  return db.drizzleWrite.select({ id: collections.id }).from(collections).where(named).get()?.id ?? -1;
}

/** -1 for a collection that there is not. */
function numberOfCollection(db: Connections, { tenant_id, collection }: DocumentHitQuery): number {
  const named = and(eq(collections.tenant_id, tenant_id), eq(collections.name, collection ?? ""));
  return db.drizzleRead.select({ id: collections.id }).from(collections).where(named).get()?.id ?? -1;
}

/** The documents whose codes differ least from the query's, nearest first. */
export function nearestDocuments(
  db: Connections,
  space: EmbedderSpace,
  query: DocumentHitQuery,
  wanted: number,
): number[] {
  if (!query.vector) return [];
  const code = signCode(query.vector.values, space.center);
  const partition = codeSpace(query.tenant_id, query.vector.embedder_id);
  const collection = query.collection === undefined ? null : numberOfCollection(db, query);
  if (db.extension === null) {
    const named = collection === null ? [] : [{ sql: "collection = ?", value: collection }];
    const where = [{ sql: "space = ?", value: partition }, ...named];
    return nearestPlain(db, tablesOf(space).document_codes, { code, wanted, where });
  }
  const conditions = [sql`code match vec_bit(${code})`, sql`k = ${wanted}`, sql`space = ${partition}`];
  if (collection !== null) conditions.push(sql`collection = ${collection}`);
  const rows = db.drizzleRead.all<{ seq: number }>(
    sql`select seq from ${sql.raw(tablesOf(space).document_codes)} where ${sql.join(conditions, sql` and `)}`,
  );
  return rows.map(({ seq }) => seq);
}
