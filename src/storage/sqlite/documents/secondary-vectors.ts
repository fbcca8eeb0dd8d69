import type { SecondaryVectors } from "../../../core/ports/document-store.ts";
import type { QueryVector } from "../../../core/ports/hits.ts";
import type { Connections } from "../engine/connection.ts";
import { vectorBlob } from "../memories/rows.ts";
import { cosineTo } from "../vectors/cosine.ts";

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

/** What the secondary embedder made of a document, as it is stored; all null for one that it has not read. */
export interface StoredSecondary {
  readonly embedder_id: string | null;
  readonly summary: Uint8Array | null;
  readonly whole: Uint8Array | null;
}

/** Compares a question with documents by the secondary embedder: with the summary or the whole, the better; null without both. */
export function secondaryCosine(question: QueryVector | null | undefined): (of: StoredSecondary) => number | null {
  if (!question) return () => null;
  const to = cosineTo(question.values);
  return ({ embedder_id, summary, whole }) =>
    embedder_id === question.embedder_id ? Math.max(to(summary) ?? -1, to(whole) ?? -1) : null;
}
