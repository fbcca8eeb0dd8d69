import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { sha256 } from "../../core/kernel/hash.ts";
import { newId } from "../../core/kernel/ids.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import { canonicalJson } from "../../core/kernel/json.ts";
import type {
  DocumentChange,
  DocumentKey,
  DocumentVector,
  NamedDocument,
  StoredDocument,
} from "../../core/ports/document-store.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import { hasPlaces, placeOfDocument, shownName } from "../../core/schema/keystones/names.ts";
import { insertAudit } from "../accounts/audit.ts";
import { eraseReplies } from "../accounts/kept-replies.ts";
import { insertJobs, queueAfter } from "../jobs/queue.ts";
import type { FiledDocument } from "../units/document-index.ts";
import type { Unit } from "../units/unit.ts";
import { row, run } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import { putDocumentVector, removeDocumentVectors, removeIndexed, removeOtherDocumentVector } from "./indexes.ts";
import { putMembers } from "./members.ts";
import type { DocumentRow } from "./read.ts";
import {
  DOCUMENT_COLUMNS,
  documentRow,
  documentRows,
  findDocument,
  namesakesOf,
  storedDocuments,
  toDocument,
} from "./read.ts";

export interface By {
  readonly clock: Clock;
  readonly actor: Actor;
}

/** Reads, decides and writes one document with its indexes, audit row and jobs, inside the caller's transaction. */
export function* upsertDocument<T extends DocumentChange>(
  work: ChangeWork,
  { clock, actor }: By,
  name: NamedDocument,
  decide: (current: StoredDocument | null) => T,
): Unit<{ before: StoredDocument | null; after: StoredDocument; change: T }> {
  const { tenant_id, collection, doc_id } = yield* meantBy(name);
  const nowMs = clock.now();
  const now = toTimestamp(nowMs);
  const there = yield* documentRow({ tenant_id, collection, doc_id });
  const before = there && toDocument(there);
  const change = decide(before);
  const { documents_limit } = change;
  if (!there && documents_limit !== undefined)
    requireRoomForDocument(yield* storedDocuments(work, documents_limit), documents_limit);
  const { fleet_id, data, approval = null } = change;
  const summary = change.searchable?.summary ?? null;
  const keepsVector = change.vector === null && there?.embedded_by != null && there.summary === summary;
  const embedded_by = keepsVector ? there.embedded_by : change.embedded_by;
  const fields = { fleet_id, data, updated_at: now, summary, embedded_by, approval };
  const written = there
    ? yield* replaceRow(work, { ...there, ...fields })
    : yield* insertRow(work, { tenant_id, collection, doc_id, ...fields, id: newId(clock), created_at: now });
  yield* putMembers(work, written, data);
  if (there) yield* forgetAsItWas(work, there.seq, { ...change, keepsVector });
  yield* putIndexed(work, written, change);
  const after = toDocument(written);
  yield* insertAudit(work, actor, [documentEvent(after, { ...change, at: now, before, after })]);
  yield* insertJobs(work, change.jobsFor(after), nowMs);
  return { before, after, change };
}

/** The key of the document that is meant among those of its name. */
function* meantBy({ among, ...key }: NamedDocument): Unit<DocumentKey> {
  return among ? { ...key, doc_id: among(yield* namesakesOf(key)) } : key;
}

type Indexed = Pick<DocumentChange, "searchable" | "vector">;

/** Forgets what is no longer true of a document; what takes its own place need not go before. */
function* forgetAsItWas(
  work: ChangeWork,
  seq: number,
  { searchable, vector, keepsVector }: Indexed & { readonly keepsVector: boolean },
): Unit<void> {
  if (!searchable) yield* work.documents.removeWords(seq);
  if (!keepsVector && vector) yield* removeOtherDocumentVector(work, work.space, seq);
  if (!keepsVector && !vector) yield* removeDocumentVectors(work, seq);
}

/** Has a document found by what is known of it. */
function* putIndexed(work: ChangeWork, written: FiledDocument, { searchable, vector }: Indexed): Unit<void> {
  if (searchable) yield* work.documents.putWords(written, searchable);
  if (vector) yield* putDocumentVector(work, work.space, written, vector);
}

/** Stores a new document without its indexes, inside the caller's transaction. */
export const insertRow = ({ dialect }: TenantWork, stored: Omit<DocumentRow, "seq">): Unit<DocumentRow> =>
  writtenRow(sql`
    insert into documents (tenant_id, id, fleet_id, collection, doc_id, data, created_at, updated_at, summary,
      embedded_by, approval)
    values (${stored.tenant_id}, ${stored.id}, ${stored.fleet_id}, ${stored.collection}, ${stored.doc_id},
      ${dialect.json(stored.data)}, ${stored.created_at}, ${stored.updated_at}, ${stored.summary},
      ${stored.embedded_by}, ${dialect.json(stored.approval)})
    returning ${DOCUMENT_COLUMNS}`);

const replaceRow = ({ dialect, tenant_id }: TenantWork, stored: DocumentRow): Unit<DocumentRow> =>
  writtenRow(sql`update documents set fleet_id = ${stored.fleet_id}, data = ${dialect.json(stored.data)},
      updated_at = ${stored.updated_at}, summary = ${stored.summary}, embedded_by = ${stored.embedded_by},
      approval = ${dialect.json(stored.approval)}
    where ${dialect.belongs("documents", tenant_id)} and seq = ${stored.seq} returning ${DOCUMENT_COLUMNS}`);

/** The row as it is stored: JSON says less than a value may, such as a zero below zero. */
function* writtenRow(statement: SQL): Unit<DocumentRow> {
  const [written] = yield* documentRows(statement);
  if (!written) throw new Error("The document row just written cannot be read.");
  return written;
}

/** Deletes a document with its indexes, inside the caller's transaction; false when there is none. */
export function* removeDocument(
  work: ChangeWork,
  { clock, actor }: By,
  name: NamedDocument,
  decide: (current: StoredDocument) => string,
): Unit<boolean> {
  const found = yield* findDocument(yield* meantBy(name));
  if (!found) return false;
  const current = toDocument(found);
  const action = decide(current);
  yield* removeIndexed(work, found.seq);
  yield* run(sql`delete from documents
    where ${work.dialect.belongs("documents", work.tenant_id)} and seq = ${found.seq}`);
  yield* eraseReplies(work, [found.id]);
  const nowMs = clock.now();
  yield* queueAfter(work, { kind: "document_removed", now_ms: nowMs });
  const event = documentEvent(current, { action, at: toTimestamp(nowMs), before: current, after: null });
  yield* insertAudit(work, actor, [event]);
  return true;
}

/** Stores vectors of documents whose summary is still the one that was read. */
export function* fillVectors(work: ChangeWork, vectors: readonly DocumentVector[]): Unit<void> {
  const { dialect, tenant_id, space } = work;
  for (const { id, summary, vector } of vectors) {
    const filled = yield* row<FiledDocument>(sql`update documents set embedded_by = ${space.id}
      where ${dialect.belongs("documents", tenant_id)} and id = ${id} and summary = ${summary}
      returning seq, collection`);
    if (filled) yield* putDocumentVector(work, space, filled, vector);
  }
}

/** What happened to a document. */
interface DocumentEvent extends Partial<Pick<DocumentChange, "reason" | "shown">> {
  readonly action: string;
  readonly at: string;
  readonly before: StoredDocument | null;
  readonly after: StoredDocument | null;
}

/**
 * The audit row of a document's change: it names the document and the hashes of what it held, and its fleets when it moved;
 * of what it held only the members that are to be shown.
 */
function documentEvent(
  { tenant_id, collection, doc_id }: StoredDocument,
  { action, at, before, after, reason = "", shown = [] }: DocumentEvent,
) {
  const hasMoved = before !== null && after !== null && before.fleet_id !== after.fleet_id;
  const noted = (document: StoredDocument | null): JsonObject | null =>
    document && {
      data_hash: sha256(canonicalJson(document.data)),
      ...(hasMoved ? { fleet_id: document.fleet_id } : {}),
      ...(hasPlaces(collection) ? { place: placeOfDocument(document) } : {}),
      ...(document.approval ? { approval: document.approval.way } : {}),
      ...picked(document.data, shown),
    };
  return {
    tenant_id,
    at,
    action,
    target_id: `${collection}/${shownName({ collection, doc_id })}`,
    before: noted(before),
    after: noted(after),
    reason: reason === "" ? null : reason,
  };
}

const picked = (data: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));

/** Throws PLAN_LIMIT_READ_ONLY where a tenant that holds so many documents takes no new one. */
function requireRoomForDocument(stored: number, documents_limit: number): void {
  if (stored < documents_limit) return;
  throw new AppError(
    "PLAN_LIMIT_READ_ONLY",
    `The limit of ${documents_limit} documents is reached: nothing was stored. Delete documents or raise CAIRN_DOCUMENTS_LIMIT.`,
    { documents_limit },
  );
}
