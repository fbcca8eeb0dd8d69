import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { SecondaryVectors } from "../../../core/ports/document-store.ts";
import type { QueryVector } from "../../../core/ports/hits.ts";
import type { Connections } from "../engine/connection.ts";
import { vectorBlob } from "../memories/rows.ts";

/** Writes or replaces what the secondary embedder makes of a document, inside the caller's transaction. */
export function putSecondaryVectors(
  db: Connections,
  seq: number,
  { embedder_id, summary, whole }: SecondaryVectors,
): void {
  db.writeConnection
    .query("insert or replace into document_paraphrases (seq, embedder_id, summary, whole) values (?, ?, ?, ?)")
    .run(seq, embedder_id, vectorBlob(summary), vectorBlob(whole));
}

/** Forgets what the secondary embedder made of a document. */
export function removeSecondaryVectors(db: Connections, seq: number): void {
  db.writeConnection.query("delete from document_paraphrases where seq = ?").run(seq);
}

/** Whose reading of a document is stored; null for none. */
export const readerOf = (db: Connections, seq: number): string | null =>
  db.writeConnection
    .query<{ embedder_id: string }, [number]>("select embedder_id from document_paraphrases where seq = ?")
    .get(seq)?.embedder_id ?? null;

/** The secondary embedder's cosine for a row of `document_paraphrases` joined as `p`: to the summary or the whole, the better. */
export function secondaryCosine(question: QueryVector | null | undefined): SQL<number | null> {
  if (!question) return sql`null`;
  const values = vectorBlob(question.values);
  return sql`case when p.embedder_id = ${question.embedder_id}
    then 1 - min(vec_distance_cosine(p.summary, ${values}), vec_distance_cosine(p.whole, ${values})) end`;
}
