import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Engine } from "../engine/connection.ts";
import { queueAfter } from "../jobs/queue.ts";

type Unread = { readonly id: string; readonly tenant_id: string };

/**
 * Brings what rows say of their vectors in line with what a model has made of them, inside the caller's transaction: those
 * that it has read count as embedded by it, the others as waiting, and jobs read them.
 */
export function settleEmbedded(db: Engine, space: EmbedderSpace, now_ms: number): void {
  const { memory_vectors, document_vectors } = tablesOf(space);
  const memories = settle(db, space, "memories", memory_vectors, "deleted_at is null");
  const documents = settle(db, space, "documents", document_vectors, "summary is not null");
  if (memories.length > 0) queueAfter(db, { kind: "memories_unembedded", rows: memories, now_ms });
  if (documents.length > 0) queueAfter(db, { kind: "documents_unembedded", rows: documents, now_ms });
}

function settle(
  { writeConnection: db }: Engine,
  { id }: EmbedderSpace,
  table: "memories" | "documents",
  vectors: string,
  searched: string,
): Unread[] {
  const has = `exists (select 1 from ${vectors} v where v.seq = ${table}.seq and v.embedder_id = ?)`;
  db.query(`update ${table} set embedded_by = ? where ${searched} and embedded_by is not ? and ${has}`).run(id, id, id);
  return db
    .query<Unread, [string]>(
      `update ${table} set embedded_by = null
        where ${searched} and embedded_by is not null and not ${has} returning id, tenant_id`,
    )
    .all(id);
}
