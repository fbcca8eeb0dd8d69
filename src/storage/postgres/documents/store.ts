import { sql } from "drizzle-orm";
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
import { insertAudit } from "../accounts/audit-rows.ts";
import { eraseReplies } from "../accounts/kept-replies.ts";
import { jsonValue } from "../engine/values.ts";
import type { Engine, TenantWork } from "../engine/work.ts";
import { insertJobs, queueAfter } from "../jobs/queue.ts";
import { findDocumentHits } from "./hits.ts";
import {
  putDocumentVector,
  putDocumentWords,
  removeDocumentVector,
  removeDocumentWords,
  removeOtherDocumentVector,
} from "./indexes.ts";
import type { MemberedRow } from "./members.ts";
import { putMembers, removeMembers } from "./members.ts";
import type { DocumentRow } from "./read.ts";
import {
  dataOfDocuments,
  documentRow,
  findDocument,
  listCollections,
  listDocuments,
  pageOfDocuments,
  toDocument,
  unreadDocuments,
} from "./read.ts";
import { storedDocuments } from "./room.ts";
import { putSecondaryVectors, removeSecondaryVectors } from "./secondary-vectors.ts";

/** The document store over Postgres. */
export function postgresDocumentStore(engine: Engine, clock: Clock): DocumentStore {
  return {
    upsert: (key, actor, decide) =>
      engine.write(key.tenant_id, async (work) => {
        const { before, after } = await upsertDocument(work, { clock, actor }, key, decide);
        return { before, after };
      }),
    remove: (key, actor, decide) =>
      engine.write(key.tenant_id, (work) => removeDocument(work, { clock, actor }, key, decide)),
    get: (key) =>
      engine.look(async (work) => {
        const row = await findDocument(work, key);
        return row && toDocument(row);
      }),
    list: (page) => engine.look((work) => listDocuments(work, page)),
    page: (page) => engine.snapshot((work) => pageOfDocuments(work, page)),
    dataOf: (tenant_id, wanted) => engine.snapshot((work) => dataOfDocuments(work, tenant_id, wanted)),
    collections: (tenant_id, fleet_id, skill_visibility) =>
      engine.look((work) => listCollections(work, { tenant_id, fleet_id, skill_visibility })),
    hits: (query) => engine.snapshot((work) => findDocumentHits(work, query)),
    pending: (tenant_id, ids, embedder_id) =>
      engine.look((work) => unreadDocuments(work, tenant_id, ids, { by: "embedded_by", embedder_id })),
    fillVectors: (tenant_id, vectors) => engine.write(tenant_id, (work) => fillVectors(work, vectors)),
    withoutSecondaryVectors: (tenant_id, ids, embedder_id) =>
      engine.look((work) => unreadDocuments(work, tenant_id, ids, { by: "paraphrased_by", embedder_id })),
    fillSecondaryVectors: (tenant_id, paraphrases) =>
      engine.write(tenant_id, (work) => fillParaphrases(work, paraphrases)),
  };
}

export interface By {
  readonly clock: Clock;
  readonly actor: Actor;
}

/** Reads, decides and writes one document with its indexes, audit row and jobs, inside the caller's transaction. */
export async function upsertDocument<T extends DocumentChange>(
  work: TenantWork,
  { clock, actor }: By,
  key: DocumentKey,
  decide: (current: StoredDocument | null) => T,
): Promise<{ before: StoredDocument | null; after: StoredDocument; change: T }> {
  const nowMs = clock.now();
  const now = toTimestamp(nowMs);
  const row = await documentRow(work, key);
  const before = row && toDocument(row);
  const change = decide(before);
  const { documents_limit } = change;
  if (!row && documents_limit !== undefined)
    requireRoomForDocument(await storedDocuments(work, documents_limit), documents_limit);
  const { fleet_id, data, searchable, vector, secondary_vectors } = change;
  const summary = searchable?.summary ?? null;
  const keepsVector = vector === null && row?.embedded_by != null && row.summary === summary;
  const embedded_by = keepsVector ? row.embedded_by : change.embedded_by;
  const paraphrased_by = secondary_vectors?.embedder_id ?? null;
  const { approval = null } = change;
  const fields = { fleet_id, data, updated_at: now, summary, embedded_by, paraphrased_by, approval };
  const written = row
    ? await replaceRow(work, { ...row, ...fields })
    : await insertRow(work, { ...keyOf(key), ...fields, id: newId(clock), created_at: now });
  await putMembers(work, written, data);
  if (searchable) await putDocumentWords(work, written, searchable);
  else if (row) await removeDocumentWords(work, written.seq);
  if (row) await forgetVectors(work, row.seq, { keepsVector, isReplaced: vector !== null });
  if (vector) await putDocumentVector(work, work.space, written, vector);
  if (secondary_vectors) await putSecondaryVectors(work, written.seq, secondary_vectors);
  else if (row) await removeSecondaryVectors(work, written.seq);
  const after = toDocument(written);
  await insertAudit(work, actor, [documentEvent(after, { ...change, at: now, before, after })]);
  await insertJobs(work, change.jobsFor(after), nowMs);
  return { before, after, change };
}

const keyOf = ({ tenant_id, collection, doc_id }: DocumentKey): DocumentKey => ({ tenant_id, collection, doc_id });

/** Forgets what models made of a document as it was; what this model makes of it now may take its place. */
async function forgetVectors(
  work: TenantWork,
  seq: number,
  { keepsVector, isReplaced }: { readonly keepsVector: boolean; readonly isReplaced: boolean },
): Promise<void> {
  if (keepsVector) return;
  if (isReplaced) await removeOtherDocumentVector(work, work.space, seq);
  else await removeDocumentVector(work, seq);
}

async function insertRow(work: TenantWork, row: Omit<DocumentRow, "seq">): Promise<DocumentRow> {
  const { id, fleet_id, collection, doc_id, data, created_at, updated_at, summary } = row;
  const written = await work.row<{ seq: number }>(sql`
    insert into documents (tenant_id, id, fleet_id, collection, doc_id, data, created_at, updated_at, summary,
      embedded_by, paraphrased_by, approval)
    values (${work.tenant_id}, ${id}, ${fleet_id}, ${collection}, ${doc_id}, ${jsonValue(data)}, ${created_at},
      ${updated_at}, ${summary}, ${row.embedded_by}, ${row.paraphrased_by}, ${jsonValue(row.approval)})
    returning seq`);
  if (!written) throw new Error("The document row just written cannot be read.");
  return { ...row, seq: written.seq };
}

async function replaceRow(work: TenantWork, row: DocumentRow): Promise<DocumentRow> {
  await work.run(sql`update documents set fleet_id = ${row.fleet_id}, data = ${jsonValue(row.data)},
      updated_at = ${row.updated_at}, summary = ${row.summary}, embedded_by = ${row.embedded_by},
      paraphrased_by = ${row.paraphrased_by}, approval = ${jsonValue(row.approval)}
    where tenant_id = ${work.tenant_id} and seq = ${row.seq}`);
  return row;
}

/** Deletes a document with its indexes, inside the caller's transaction; false when there is none. */
export async function removeDocument(
  work: TenantWork,
  { clock, actor }: By,
  key: DocumentKey,
  decide: (current: StoredDocument) => string,
): Promise<boolean> {
  const row = await findDocument(work, key);
  if (!row) return false;
  const current = toDocument(row);
  const action = decide(current);
  await removeMembers(work, row.seq);
  await removeDocumentWords(work, row.seq);
  await removeDocumentVector(work, row.seq);
  await removeSecondaryVectors(work, row.seq);
  await work.run(sql`delete from documents where tenant_id = ${work.tenant_id} and seq = ${row.seq}`);
  await eraseReplies(work, [row.id]);
  const nowMs = clock.now();
  await queueAfter(work, { kind: "document_removed", now_ms: nowMs });
  const event = documentEvent(current, { action, at: toTimestamp(nowMs), before: current, after: null });
  await insertAudit(work, actor, [event]);
  return true;
}

async function fillVectors(work: TenantWork, vectors: readonly DocumentVector[]): Promise<void> {
  for (const { id, summary, vector } of vectors) {
    const row = await work.row<MemberedRow>(sql`update documents set embedded_by = ${work.space.id}
      where tenant_id = ${work.tenant_id} and id = ${id} and summary = ${summary} returning seq, collection`);
    if (row) await putDocumentVector(work, work.space, row, vector);
  }
}

async function fillParaphrases(work: TenantWork, paraphrases: readonly DocumentSecondaryVectors[]): Promise<void> {
  for (const { id, data, secondary_vectors } of paraphrases) {
    // The same data is stored as the same text.
    const row = await work.row<MemberedRow>(sql`update documents set paraphrased_by = ${secondary_vectors.embedder_id}
      where tenant_id = ${work.tenant_id} and id = ${id} and data::text = ${JSON.stringify(data)}
      returning seq, collection`);
    if (row) await putSecondaryVectors(work, row.seq, secondary_vectors);
  }
}
