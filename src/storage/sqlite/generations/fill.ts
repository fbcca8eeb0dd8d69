import { asc, inArray } from "drizzle-orm";
import type {
  Lacking,
  OtherDocumentVector,
  UnreadDocument,
  UnreadMemory,
} from "../../../core/ports/keeping/generations.ts";
import type { NewVector } from "../../../core/ports/memory-store.ts";
import { tablesOf } from "../../common/sides.ts";
import { putDocumentVector } from "../../documents/indexes.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { documents, memories } from "../engine/tables.ts";
import { blobVector, toStoredMemory } from "../memories/rows.ts";
import { previousText, trueVectors } from "../memories/runs.ts";
import { changing } from "../units/run.ts";
import type { TenantCodedRow } from "../vectors/vectors.ts";
import { putVectors } from "../vectors/vectors.ts";

/** Memories that a model has not read: each is looked up, in order. */
const unread = (space: EmbedderSpace): string => `from memories m
  left join ${tablesOf(space).memory_vectors} v on v.seq = m.seq and v.embedder_id = ?
  where m.deleted_at is null and v.seq is null`;
const unreadDocument = (space: EmbedderSpace): string => `from documents d
  left join ${tablesOf(space).document_vectors} v on v.seq = d.seq and v.embedder_id = ?
  where d.summary is not null and v.seq is null`;

/** The first memories after a number that a model has not read, with what the answering one's second has made of them. */
export function unreadMemories(
  db: Connections,
  { answering, other }: { readonly answering: EmbedderSpace; readonly other: EmbedderSpace },
  after: number,
  limit: number,
): UnreadMemory[] {
  const found = db.readConnection
    .query<{ seq: number; second: Uint8Array | null }, [string, string, number, number]>(
      `select m.seq, (select a.second from ${tablesOf(answering).memory_vectors} a
          where a.seq = m.seq and a.embedder_id = m.embedded_by and m.embedded_by = ?) as second
        ${unread(other)} and m.seq > ? order by m.seq limit ?`,
    )
    .all(answering.id, other.id, after, limit);
  const second = new Map(found.map((row) => [row.seq, row.second]));
  const rows = db.drizzleRead
    .select()
    .from(memories)
    .where(inArray(memories.seq, [...second.keys()]))
    .orderBy(asc(memories.seq))
    .all();
  return rows.map((row) => {
    const blob = second.get(row.seq);
    return {
      seq: row.seq,
      memory: toStoredMemory(row),
      previous: previousText(db, row.previous_seq),
      secondary: blob ? blobVector(blob) : null,
    };
  });
}

/** The first searchable documents after a number that a model has not read. */
export const unreadDocuments = (
  db: Connections,
  other: EmbedderSpace,
  after: number,
  limit: number,
): UnreadDocument[] =>
  db.readConnection
    .query<UnreadDocument, [string, number, number]>(
      `select d.seq, d.summary ${unreadDocument(other)} and d.seq > ? order by d.seq limit ?`,
    )
    .all(other.id, after, limit);

/** Written out, as it is run for each row: whose text is still the one that was read. */
const SAME = `select seq, tenant_id, author, audience, memory_type, previous_seq from memories
  where id = ? and content_hash = ? and deleted_at is null`;

/** Stores what a model made of memories, inside the caller's transaction. */
export function fillMemories(db: Connections, space: EmbedderSpace, filled: readonly NewVector[]): void {
  const same = db.writeConnection.query<TenantCodedRow & { previous_seq: number | null }, [string, string]>(SAME);
  for (const { id, content_hash, vectors } of filled) {
    const row = same.get(id, content_hash);
    if (row) putVectors(db, space, row, trueVectors(db, row, vectors));
  }
}

/** Stores what a model made of documents, inside the caller's transaction. */
export function fillDocuments(db: Engine, space: EmbedderSpace, filled: readonly OtherDocumentVector[]): void {
  const numbers = filled.map(({ seq }) => seq);
  const rows = db.drizzleWrite.select().from(documents).where(inArray(documents.seq, numbers)).all();
  const known = new Map(rows.map((row) => [row.seq, row]));
  for (const { seq, summary, vector } of filled) {
    const row = known.get(seq);
    if (row?.summary === summary) changing(db, row.tenant_id, (work) => putDocumentVector(work, space, row, vector));
  }
}

/** How many rows have vectors of the one that answers, and none of the other: what no model can read is no fault of either. */
export function lacking(
  db: Connections,
  { answering, other }: { readonly answering: EmbedderSpace; readonly other: EmbedderSpace },
): Lacking {
  const count = (sql: string) =>
    db.writeConnection.query<{ n: number }, [string, string]>(`select count(*) as n ${sql}`).get(other.id, answering.id)
      ?.n ?? 0;
  return {
    memories: count(`${unread(other)} and m.embedded_by = ?`),
    documents: count(`${unreadDocument(other)} and d.embedded_by = ?`),
  };
}

/** Rows to read, and entries that the other model has. */
export function progressOf(db: Connections, other: EmbedderSpace): { readonly done: number; readonly total: number } {
  const { memory_codes, document_codes } = tablesOf(other);
  const found = db.readConnection
    .query<{ done: number; total: number }, []>(
      `select (select count(*) from ${memory_codes}_rowids where rowid > 0)
          + (select count(*) from ${document_codes}_rowids) as done,
        (select coalesce(sum(memories_stored), 0) from tenant_usage)
          + (select count(*) from documents where summary is not null) as total`,
    )
    .get();
  return found ?? { done: 0, total: 0 };
}
