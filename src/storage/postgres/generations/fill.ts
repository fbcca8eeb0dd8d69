import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type {
  Lacking,
  OtherDocumentVector,
  OtherMemoryVector,
  UnreadDocument,
  UnreadMemory,
} from "../../../core/ports/keeping/generations.ts";
import type { PreviousText } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { tablesOf } from "../../common/sides.ts";
import { putDocumentVector } from "../../documents/indexes.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { CodedRow } from "../../units/memory-index.ts";
import { vectorIn } from "../../units/vectors.ts";
import { intArray, recordsValue, sentVector } from "../engine/values.ts";
import type { TenantWork, Work } from "../engine/work.ts";
import { MEMORY_COLUMNS } from "../memories/rows.ts";
import { trueVectors } from "../memories/runs.ts";
import { within } from "../units/run.ts";
import { putVectors } from "../vectors/vectors.ts";

interface Spaces {
  readonly answering: EmbedderSpace;
  readonly other: EmbedderSpace;
}

/** Memories that a model has not read: each is looked up, in order. */
const unread = (space: EmbedderSpace): SQL => sql`from memories
  left join ${sql.raw(tablesOf(space).memory_vectors)} v
    on v.tenant_id = memories.tenant_id and v.seq = memories.seq and v.embedder_id = ${space.id}
  where memories.deleted_at is null and v.seq is null`;
const unreadDocument = (space: EmbedderSpace): SQL => sql`from documents d
  left join ${sql.raw(tablesOf(space).document_vectors)} v
    on v.tenant_id = d.tenant_id and v.seq = d.seq and v.embedder_id = ${space.id}
  where d.summary is not null and v.seq is null`;

type Read = StoredMemory & {
  readonly seq: number;
  readonly previous: PreviousText | null;
  readonly second: string | null;
};

/** The first memories after a number that a model has not read, with what the answering one's second has made of them. */
export async function unreadMemories(
  work: Work,
  { answering, other }: Spaces,
  after: number,
  limit: number,
): Promise<UnreadMemory[]> {
  const rows = await work.rows<Read>(sql`select memories.seq, ${MEMORY_COLUMNS},
      (select json_build_object('content', p.content, 'content_hash', p.content_hash) from memories p
        where p.tenant_id = memories.tenant_id and p.seq = memories.previous_seq and p.deleted_at is null) as previous,
      (select ${sentVector(sql`a.second`)} from ${sql.raw(tablesOf(answering).memory_vectors)} a
        where a.tenant_id = memories.tenant_id and a.seq = memories.seq and a.embedder_id = memories.embedded_by
          and memories.embedded_by = ${answering.id}) as second
    ${unread(other)} and memories.seq > ${after} order by memories.seq limit ${limit}`);
  return rows.map(({ seq, previous, second, ...memory }) => ({ seq, memory, previous, secondary: vectorIn(second) }));
}

/** The first searchable documents after a number that a model has not read. */
export const unreadDocuments = (
  work: Work,
  other: EmbedderSpace,
  after: number,
  limit: number,
): Promise<UnreadDocument[]> =>
  work.rows<UnreadDocument>(
    sql`select d.seq, d.summary ${unreadDocument(other)} and d.seq > ${after} order by d.seq limit ${limit}`,
  );

type SameRow = CodedRow & { readonly id: string; readonly previous_seq: number | null };

/** Stores what a model made of memories of one tenant whose text is still the one that was read, inside the caller's transaction. */
export async function fillMemories(
  work: TenantWork,
  space: EmbedderSpace,
  filled: readonly OtherMemoryVector[],
): Promise<void> {
  const read = filled.map(({ id, content_hash }) => ({ id, content_hash }));
  const same = await work.rows<SameRow>(sql`select m.id, m.seq, m.author, m.audience, m.memory_type, m.previous_seq
    from json_to_recordset(${recordsValue(read)}) as r (id text, content_hash text)
    join memories m on m.tenant_id = ${work.tenant_id} and m.id = r.id and m.content_hash = r.content_hash
    where m.deleted_at is null`);
  const made = new Map(filled.map(({ id, vectors }) => [id, vectors]));
  const rows = same.flatMap((row) => {
    const vectors = made.get(row.id);
    return vectors ? [{ row, vectors }] : [];
  });
  await putVectors(work, space, await trueVectors(work, rows));
}

interface NumberedDocument {
  readonly seq: number;
  readonly tenant_id: string;
}

/** Whose documents these are. */
export const ownersOfDocuments = (work: Work, filled: readonly OtherDocumentVector[]): Promise<NumberedDocument[]> =>
  work.rows<NumberedDocument>(
    sql`select seq, tenant_id from documents where seq = any(${intArray(filled.map(({ seq }) => seq))})`,
  );

/** Stores what a model made of documents of one tenant, inside the caller's transaction. */
export async function fillDocuments(
  work: TenantWork,
  space: EmbedderSpace,
  filled: readonly OtherDocumentVector[],
): Promise<void> {
  const rows = await work.rows<{ seq: number; collection: string; summary: string | null }>(
    sql`select seq, collection, summary from documents
      where tenant_id = ${work.tenant_id} and seq = any(${intArray(filled.map(({ seq }) => seq))})`,
  );
  const known = new Map(rows.map((row) => [row.seq, row]));
  for (const { seq, summary, vector } of filled) {
    const row = known.get(seq);
    if (row?.summary === summary) await within(work, (unit) => putDocumentVector(unit, space, row, vector));
  }
}

/** How many rows have vectors of the one that answers, and none of the other: what no model can read is no fault of either. */
export async function lacking(work: Work, { answering, other }: Spaces): Promise<Lacking> {
  const found = await work.row<Lacking>(sql`select
    (select count(*) ${unread(other)} and memories.embedded_by = ${answering.id}) as memories,
    (select count(*) ${unreadDocument(other)} and d.embedded_by = ${answering.id}) as documents`);
  return found ?? { memories: 0, documents: 0 };
}

/** Rows to read, and entries that the other model has. */
export async function progressOf(
  work: Work,
  other: EmbedderSpace,
): Promise<{ readonly done: number; readonly total: number }> {
  const { memory_codes, document_codes } = tablesOf(other);
  const found = await work.row<{ done: number; total: number }>(sql`select
    (select count(*) from ${sql.raw(memory_codes)}) + (select count(*) from ${sql.raw(document_codes)}) as done,
    (select coalesce(sum(memories_stored), 0)::bigint from tenant_usage)
      + (select count(*) from documents where summary is not null) as total`);
  return found ?? { done: 0, total: 0 };
}
