import { sql } from "drizzle-orm";
import type { SearchableText } from "../../core/ports/storage.ts";
import { tablesOf } from "../common/sides.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Unit } from "../units/unit.ts";
import { row, run } from "../units/unit.ts";
import { vectorIn } from "../units/vectors.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import {
  putDocumentVector,
  readerOf,
  removeDocumentVectors,
  removeIndexed,
  removeOtherDocumentVector,
  removeSecondaryVectors,
} from "./indexes.ts";
import { putMembers } from "./members.ts";
import type { DocumentRow } from "./read.ts";

/**
 * Rebuilds what is derived from a document, of which search reads a text, with the vectors that it has of both models. False
 * when it has lost one and must be embedded again.
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
    yield* countUnread(work, seq, "paraphrased_by");
    return true;
  }
  yield* putMembers(work, stored, stored.data);
  yield* work.documents.putWords(stored, text);
  if (!other || !(yield* recode(work, other, stored))) yield* removeOtherDocumentVector(work, space, seq);
  const isRead = stored.paraphrased_by === (yield* readerOf(work, seq));
  if (!isRead) {
    yield* removeSecondaryVectors(work, seq);
    yield* countUnread(work, seq, "paraphrased_by");
  }
  if (stored.embedded_by === space.id && (yield* recode(work, space, stored))) return isRead;
  yield* removeDocumentVectors(work, seq);
  yield* countUnread(work, seq, "embedded_by");
  return false;
}

/** Files the vector that a document has of a model again; false where it has none. */
function* recode(work: ChangeWork, space: EmbedderSpace, stored: DocumentRow): Unit<boolean> {
  const { dialect, tenant_id } = work;
  const table = tablesOf(space).document_vectors;
  const kept = yield* row<{ vector: Uint8Array | string }>(sql`select ${dialect.sent(sql`vector`)} as vector
    from ${sql.raw(table)}
    where ${dialect.tenant(table, tenant_id)} and seq = ${stored.seq} and embedder_id = ${space.id}`);
  const vector = vectorIn(kept?.vector ?? null);
  if (vector) yield* putDocumentVector(work, space, stored, vector);
  return vector !== null;
}

const countUnread = ({ dialect, tenant_id }: TenantWork, seq: number, by: "embedded_by" | "paraphrased_by") =>
  run(sql`update documents set ${sql.raw(by)} = null
    where ${dialect.belongs("documents", tenant_id)} and seq = ${seq}`);
