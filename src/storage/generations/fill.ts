import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type {
  Lacking,
  OtherDocumentVector,
  OtherMemoryVector,
  UnreadDocument,
  UnreadMemory,
} from "../../core/ports/keeping/generations.ts";
import type { MemoryKey } from "../../core/ports/stored-memory.ts";
import { tablesOf } from "../common/sides.ts";
import { putDocumentVector } from "../documents/indexes.ts";
import { withPrevious } from "../memories/pending.ts";
import { trueVectors } from "../memories/runs.ts";
import type { EmbedderSpace } from "../options.ts";
import type { SqlDialect } from "../units/dialect.ts";
import type { Recoded } from "../units/memory-index.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { ChangeWork, Work } from "../units/work.ts";

/** The model that answers, and the one beside it. */
interface Spaces {
  readonly answering: EmbedderSpace;
  readonly other: EmbedderSpace;
}

/** Where rows from a number on are read. */
export interface Place {
  readonly after: number;
  readonly limit: number;
}

const unread = ({ tenant }: SqlDialect, table: "memories" | "documents", space: EmbedderSpace): SQL => {
  const { memory_vectors, document_vectors } = tablesOf(space);
  const [vectors, searched] =
    table === "memories" ? [memory_vectors, "deleted_at is null"] : [document_vectors, "summary is not null"];
  return sql`from ${sql.raw(table)} left join ${sql.raw(vectors)} v on ${tenant("v", sql.raw(`${table}.tenant_id`))}
      and v.seq = ${sql.raw(table)}.seq and v.embedder_id = ${space.id}
    where ${sql.raw(`${table}.${searched}`)} and v.seq is null`;
};

/** The first memories after a number that a model has not read. */
export function* unreadMemories(
  { dialect }: Work,
  other: EmbedderSpace,
  { after, limit }: Place,
): Unit<UnreadMemory[]> {
  const found = yield* rows<{ seq: number; tenant_id: string; id: string }>(sql`
    select memories.seq, memories.tenant_id, memories.id
    ${unread(dialect, "memories", other)} and memories.seq > ${after} order by memories.seq limit ${limit}`);
  const seqs = found.map(({ seq }) => seq);
  const pending = yield* withPrevious(dialect, dialect.isIn(sql`memories.seq`, seqs));
  // An import keeps ids: two tenants may have the same.
  const nameOf = ({ tenant_id, id }: MemoryKey): string => `${id} ${tenant_id}`;
  const known = new Map(pending.map((one) => [nameOf(one.memory), one]));
  return found.flatMap(({ seq, ...key }) => {
    const one = known.get(nameOf(key));
    return one ? [{ ...one, seq }] : [];
  });
}

/** The first searchable documents after a number that a model has not read. */
export const unreadDocuments = (
  { dialect }: Work,
  other: EmbedderSpace,
  { after, limit }: Place,
): Unit<UnreadDocument[]> =>
  rows<UnreadDocument>(sql`select documents.seq, documents.tenant_id, documents.summary ${unread(dialect, "documents", other)}
    and documents.seq > ${after} order by documents.seq limit ${limit}`);

/** Stores what a model made of memories of one tenant whose text is still the one that was read, inside the caller's transaction. */
export function* fillMemories(
  work: ChangeWork,
  space: EmbedderSpace,
  filled: readonly OtherMemoryVector[],
): Unit<void> {
  const { dialect, tenant_id } = work;
  const same = yield* dialect.each<Recoded>(
    filled.map(({ id, content_hash }) => ({ id, content_hash })),
    { id: "text", content_hash: "text" },
    (read) => sql`select seq, author, audience, memory_type, previous_seq from memories
      where ${dialect.belongs("memories", tenant_id)} and id = ${read.of("id")}
        and content_hash = ${read.of("content_hash")} and deleted_at is null`,
  );
  const made = same.flatMap(({ place, ...row }) => {
    const vectors = filled[place]?.vectors;
    return vectors ? [{ row, vectors }] : [];
  });
  yield* work.indexOf(space).putVectors(yield* trueVectors(work, made));
}

/** Stores what a model made of documents of one tenant, inside the caller's transaction. */
export function* fillDocuments(
  work: ChangeWork,
  space: EmbedderSpace,
  filled: readonly OtherDocumentVector[],
): Unit<void> {
  const seqs = filled.map(({ seq }) => seq);
  const found = yield* rows<{ seq: number; collection: string; summary: string | null }>(
    sql`select seq, collection, summary from documents
      where ${work.dialect.belongs("documents", work.tenant_id)} and ${work.dialect.isIn(sql`seq`, seqs)}`,
  );
  const known = new Map(found.map((row) => [row.seq, row]));
  for (const { seq, summary, vector } of filled) {
    const row = known.get(seq);
    if (row?.summary === summary) yield* putDocumentVector(work, space, row, vector);
  }
}

/** How many rows have vectors of the one that answers, and none of the other: what both refuse is no fault of either. */
export function* lacking({ dialect }: Work, { answering, other }: Spaces): Unit<Lacking> {
  const found = yield* row<Lacking>(sql`select
    (select count(*) ${unread(dialect, "memories", other)} and memories.embedded_by = ${answering.id}) as memories,
    (select count(*) ${unread(dialect, "documents", other)} and documents.embedded_by = ${answering.id}) as documents`);
  return found ?? { memories: 0, documents: 0 };
}

/** Rows to read, and those that the other model has read: it has entries of them or, of silent ones, vectors alone. */
export function* progressOf({ dialect }: Work, other: EmbedderSpace): Unit<{ done: number; total: number }> {
  const { memory_codes, document_codes, memory_vectors, document_vectors } = tablesOf(other);
  const counted = (of: string, from: readonly string[]) => {
    const isIn = from.map((index) => {
      const { table, key } = dialect.entriesOf(index);
      return sql`exists (select 1 from ${sql.raw(table)} e
        where ${dialect.tenant("e", sql`x.tenant_id`)} and ${sql.raw(`e.${key}`)} = x.seq)`;
    });
    return sql`select count(*) as total, count(case when ${sql.join(isIn, sql` or `)} then 1 end) as done from ${sql.raw(of)}`;
  };
  // Entries come first: they are small, and nearly all rows have one.
  const found = yield* row<{ done: number; total: number }>(sql`
    select cast(sum(done) as bigint) as done, cast(sum(total) as bigint) as total from (
      ${counted("memories x where x.deleted_at is null", [memory_codes, memory_vectors])}
      union all ${counted("documents x where x.summary is not null", [document_codes, document_vectors])}) c`);
  return found ?? { done: 0, total: 0 };
}
