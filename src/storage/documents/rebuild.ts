import { sql } from "drizzle-orm";
import type { SearchableText } from "../../core/ports/storage.ts";
import { tablesOf } from "../common/sides.ts";
import { isReadByOther } from "../memories/pending.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Unit } from "../units/unit.ts";
import { row, run } from "../units/unit.ts";
import { filedVectorIn } from "../units/vectors.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import { putDocumentVector, removeDocumentVectors, removeIndexed, removeOtherDocumentVector } from "./indexes.ts";
import { putMembers } from "./members.ts";
import type { DocumentRow } from "./read.ts";

/**
 * Rebuilds what is derived from a document, of which search reads a text, with the vectors that it has of both models. False
 * when it has lost one and must be embedded again; one that only another model has read, a job reads anew that is queued in the end.
 */
export function* rebuildDocument(
  work: ChangeWork,
  stored: DocumentRow,
  text: SearchableText | null,
  other: EmbedderSpace | null,
): Unit<boolean> {
  const { space } = work;
  const { seq } = stored;
  if (stored.summary === null || text === null) {
    yield* removeIndexed(work, seq);
    yield* putMembers(work, stored, stored.data);
    return true;
  }
  yield* putMembers(work, stored, stored.data);
  yield* work.documents.putWords(stored, text);
  if (!other || !(yield* recode(work, other, stored))) yield* removeOtherDocumentVector(work, space, seq);
  if (isReadByOther(stored, space)) return true;
  if (stored.embedded_by === space.id && (yield* recode(work, space, stored))) return true;
  yield* removeDocumentVectors(work, seq);
  yield* countUnread(work, seq);
  return false;
}

/** Files the vector that a document has of a model again; false where it has none. */
function* recode(work: ChangeWork, space: EmbedderSpace, stored: DocumentRow): Unit<boolean> {
  const { dialect, tenant_id } = work;
  const table = tablesOf(space).document_vectors;
  const kept = yield* row<{ vector: Uint8Array | string }>(sql`select ${dialect.sent(sql`vector`)} as vector
    from ${sql.raw(table)}
    where ${dialect.tenant(table, tenant_id)} and seq = ${stored.seq} and embedder_id = ${space.id}`);
  if (kept) yield* putDocumentVector(work, space, stored, filedVectorIn(kept.vector));
  return kept !== null;
}

const countUnread = ({ dialect, tenant_id }: TenantWork, seq: number) =>
  run(sql`update documents set embedded_by = null
    where ${dialect.belongs("documents", tenant_id)} and seq = ${seq}`);
