import { and, eq } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import { newId } from "../../../core/kernel/ids.ts";
import type {
  DocumentChange,
  DocumentKey,
  DocumentSecondaryVectors,
  DocumentStore,
  DocumentVector,
  StoredDocument,
} from "../../../core/ports/document-store.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import { documentEvent } from "../../common/document-events.ts";
import { requireRoomForDocument } from "../../common/document-room.ts";
import type { EmbedderSpace } from "../../options.ts";
import { insertAudit } from "../accounts/audit.ts";
import { eraseReplies } from "../accounts/kept-replies.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { documents } from "../engine/tables.ts";
import { insertJobs, queueAfter } from "../jobs/queue.ts";
import { findDocumentHits } from "./hits.ts";
import {
  putDocumentVector,
  putDocumentWords,
  removeDocumentVector,
  removeDocumentWords,
  removeOtherDocumentVector,
} from "./indexes.ts";
import { putMembers } from "./members.ts";
import {
  dataOfDocuments,
  documentRow,
  findDocument,
  listCollections,
  listDocuments,
  pageOfDocuments,
  removeMembers,
  toDocument,
  unreadDocuments,
} from "./read.ts";
import { storedDocuments } from "./room.ts";
import { putSecondaryVectors, removeSecondaryVectors } from "./secondary-vectors.ts";

/** The document store over SQLite; `jobAdded` is called after a transaction that may have queued work. */
export function sqliteDocumentStore(
  db: Engine,
  space: EmbedderSpace,
  clock: Clock,
  jobAdded: () => void,
): DocumentStore {
  const change = <T>(body: () => T) => guarded(() => db.write(body));
  return {
    upsert: async (key, actor, decide) => {
      const { before, after } = await change(() => upsertDocument(db, { space, clock, actor }, key, decide));
      jobAdded();
      return { before, after };
    },
    remove: (key, actor, decide) => change(() => removeDocument(db, { space, clock, actor }, key, decide)),
    get: (key) =>
      guarded(() => {
        const row = findDocument(db.drizzleRead, key);
        return row && toDocument(row);
      }),
    list: (page) => guarded(() => listDocuments(db, page)),
    page: (page) => guarded(() => pageOfDocuments(db, page)),
    dataOf: (tenant_id, wanted) => guarded(() => dataOfDocuments(db, tenant_id, wanted)),
    collections: (tenant_id, fleet_id, skill_visibility) =>
      guarded(() => listCollections(db, { tenant_id, fleet_id, skill_visibility })),
    hits: (query) => guarded(() => findDocumentHits(db, space, query)),
    pending: (tenant_id, ids, embedder_id) =>
      guarded(() => unreadDocuments(db, tenant_id, ids, { by: "embedded_by", embedder_id })),
    fillVectors: (tenant_id, vectors) => change(() => fillVectors(db, space, tenant_id, vectors)),
    withoutSecondaryVectors: (tenant_id, ids, embedder_id) =>
      guarded(() => unreadDocuments(db, tenant_id, ids, { by: "paraphrased_by", embedder_id })),
    fillSecondaryVectors: (tenant_id, paraphrases) => change(() => fillParaphrases(db, tenant_id, paraphrases)),
  };
}

export interface By {
  readonly space: EmbedderSpace;
  readonly clock: Clock;
  readonly actor: Actor;
}

/** Reads, decides and writes one document with its indexes, audit row and jobs, inside the caller's transaction. */
export function upsertDocument<T extends DocumentChange>(
  db: Connections,
  { space, clock, actor }: By,
  key: DocumentKey,
  decide: (current: StoredDocument | null) => T,
): { before: StoredDocument | null; after: StoredDocument; change: T } {
  const now = toTimestamp(clock.now());
  const row = documentRow(db.drizzleWrite, key);
  const before = row && toDocument(row);
  const change = decide(before);
  const { documents_limit } = change;
  if (!row && documents_limit !== undefined)
    requireRoomForDocument(storedDocuments(db.writeConnection, key.tenant_id, documents_limit), documents_limit);
  const { fleet_id, data, searchable, vector, secondary_vectors } = change;
  const summary = searchable?.summary ?? null;
  const keepsVector = vector === null && row?.embedded_by != null && row.summary === summary;
  const embedded_by = keepsVector ? row.embedded_by : change.embedded_by;
  const paraphrased_by = secondary_vectors?.embedder_id ?? null;
  const { approval = null } = change;
  const fields = { fleet_id, data, updated_at: now, summary, embedded_by, paraphrased_by, approval };
  const written = row
    ? db.drizzleWrite.update(documents).set(fields).where(eq(documents.seq, row.seq)).returning().get()
    : db.drizzleWrite
        .insert(documents)
        .values({ ...key, ...fields, id: newId(clock), created_at: now })
        .returning()
        .get();
  putMembers(db, written, data);
  if (searchable) putDocumentWords(db, written.seq, searchable);
  else removeDocumentWords(db, written.seq);
  if (!keepsVector) removeOtherDocumentVector(db, space, written.seq);
  if (vector) putDocumentVector(db, space, written, vector);
  else if (!keepsVector) removeDocumentVector(db, written.seq);
  if (secondary_vectors) putSecondaryVectors(db, written.seq, secondary_vectors);
  else removeSecondaryVectors(db, written.seq);
  const after = toDocument(written);
  insertAudit(db, actor, [documentEvent(after, { ...change, at: now, before, after })]);
  insertJobs(db, change.jobsFor(after), clock.now());
  return { before, after, change };
}

/** Deletes a document with its indexes, inside the caller's transaction; false when there is none. */
export function removeDocument(
  db: Engine,
  { clock, actor }: By,
  key: DocumentKey,
  decide: (current: StoredDocument) => string,
): boolean {
  const row = findDocument(db.drizzleWrite, key);
  if (!row) return false;
  const current = toDocument(row);
  const action = decide(current);
  removeMembers(db, row.seq);
  removeDocumentWords(db, row.seq);
  removeDocumentVector(db, row.seq);
  removeSecondaryVectors(db, row.seq);
  db.drizzleWrite.delete(documents).where(eq(documents.seq, row.seq)).run();
  eraseReplies(db, [row.id]);
  queueAfter(db, { kind: "document_removed", now_ms: clock.now() });
  const now = toTimestamp(clock.now());
  insertAudit(db, actor, [documentEvent(current, { action, at: now, before: current, after: null })]);
  return true;
}

function fillVectors(
  db: Connections,
  space: EmbedderSpace,
  tenant_id: string,
  vectors: readonly DocumentVector[],
): void {
  for (const { id, summary, vector } of vectors) {
    const same = and(eq(documents.tenant_id, tenant_id), eq(documents.id, id), eq(documents.summary, summary));
    const row = db.drizzleWrite.update(documents).set({ embedded_by: space.id }).where(same).returning().get();
    if (row) putDocumentVector(db, space, row, vector);
  }
}

function fillParaphrases(db: Connections, tenant_id: string, paraphrases: readonly DocumentSecondaryVectors[]): void {
  for (const { id, data, secondary_vectors } of paraphrases) {
    const same = and(eq(documents.tenant_id, tenant_id), eq(documents.id, id), eq(documents.data, data));
    const read = db.drizzleWrite.update(documents).set({ paraphrased_by: secondary_vectors.embedder_id }).where(same);
    const row = read.returning().get();
    if (row) putSecondaryVectors(db, row.seq, secondary_vectors);
  }
}
