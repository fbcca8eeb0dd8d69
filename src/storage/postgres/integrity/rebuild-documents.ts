import { sql } from "drizzle-orm";
import type { SearchableText } from "../../../core/ports/storage.ts";
import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import { vectorIn } from "../../units/vectors.ts";
import {
  putDocumentVector,
  putDocumentWords,
  removeDocumentVector,
  removeDocumentWords,
  removeOtherDocumentVector,
} from "../documents/indexes.ts";
import { putMembers } from "../documents/members.ts";
import type { DocumentRow } from "../documents/read.ts";
import { toDocument } from "../documents/read.ts";
import { readerOf, removeSecondaryVectors } from "../documents/secondary-vectors.ts";
import { intArray, sentVector } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { otherSpace } from "../generations/rows.ts";
import { queueAfter } from "../jobs/queue.ts";
import type { RebuildBy, Rebuilt } from "./rebuilt.ts";

/** Rebuilds what is derived from some documents of a tenant, inside the caller's transaction. */
export async function rebuildDocuments(
  work: TenantWork,
  seqs: readonly number[],
  { nowMs, textOf }: RebuildBy,
): Promise<Rebuilt> {
  const rows = await work.rows<DocumentRow>(sql`select * from documents
    where tenant_id = ${work.tenant_id} and seq = any(${intArray(seqs)}) order by seq`);
  const other = await otherSpace(work);
  const lost: DocumentRow[] = [];
  for (const row of rows) if (!(await rebuildDocument(work, other, row, textOf(toDocument(row))))) lost.push(row);
  await queueAfter(work, { kind: "documents_unembedded", rows: lost, now_ms: nowMs });
  return { rows: rows.length, embeddings_queued: lost.length };
}

/** False when the document has lost a vector and must be embedded again. */
async function rebuildDocument(
  work: TenantWork,
  other: EmbedderSpace | null,
  row: DocumentRow,
  text: SearchableText | null,
): Promise<boolean> {
  const { space, tenant_id } = work;
  await putMembers(work, row, row.data);
  if (row.summary === null || text === null) {
    await removeDocumentWords(work, row.seq);
    await removeDocumentVector(work, row.seq);
    await forgetReading(work, row.seq);
    return true;
  }
  await putDocumentWords(work, row, text);
  if (!other || !(await recode(work, other, row))) await removeOtherDocumentVector(work, space, row.seq);
  const isRead = row.paraphrased_by === (await readerOf(work, row.seq));
  if (!isRead) await forgetReading(work, row.seq);
  if (row.embedded_by === space.id && (await recode(work, space, row))) return isRead;
  await removeDocumentVector(work, row.seq);
  await work.run(sql`update documents set embedded_by = null where tenant_id = ${tenant_id} and seq = ${row.seq}`);
  return false;
}

/** Files the vector that a document has of a model again; false where it has none. */
async function recode(work: TenantWork, space: EmbedderSpace, row: DocumentRow): Promise<boolean> {
  const kept = await work.row<{ sent: string }>(sql`select ${sentVector(sql`vector`)} as sent
    from ${sql.raw(tablesOf(space).document_vectors)}
    where tenant_id = ${work.tenant_id} and seq = ${row.seq} and embedder_id = ${space.id}`);
  const vector = vectorIn(kept?.sent ?? null);
  if (vector) await putDocumentVector(work, space, row, vector);
  return vector !== null;
}

/** Takes the second reading of a document away, so that it counts as not read twice. */
async function forgetReading(work: TenantWork, seq: number): Promise<void> {
  await removeSecondaryVectors(work, seq);
  await work.run(sql`update documents set paraphrased_by = null where tenant_id = ${work.tenant_id} and seq = ${seq}`);
}
