import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { MemoryFilter, ReadScope } from "../../core/ports/memory-filter.ts";
import type { MemoryPageRequest, PreviousText } from "../../core/ports/memory-store.ts";
import type { Page, PageBounds } from "../../core/ports/page.ts";
import type { MemoryKey, StoredMemory } from "../../core/ports/stored-memory.ts";
import type { MemorySort } from "../../core/schema/memory-query.ts";
import { audienceOwner } from "../common/audiences.ts";
import { tablesOf } from "../common/sides.ts";
import type { EmbedderSpace } from "../options.ts";
import type { SqlDialect } from "../units/dialect.ts";
import { int, sizeOf } from "../units/dialect.ts";
import { fitting, pageOf } from "../units/page.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import { vectorIn } from "../units/vectors.ts";
import type { Work } from "../units/work.ts";
import { memoryWhere } from "./filters.ts";
import type { MemoryRow } from "./rows.ts";
import { MEMORY_COLUMNS, memoriesOf, ROW_COLUMNS, rowsOf } from "./rows.ts";

/** The first row of a filter; null without one. */
export function* firstRow({ dialect }: Work, filter: MemoryFilter): Unit<MemoryRow | null> {
  const [found] = yield* rowsOf(sql`select ${ROW_COLUMNS} from memories where ${memoryWhere(dialect, filter)} limit 1`);
  return found ?? null;
}

/** The row at this address that the reader may see. */
export const findRow = (work: Work, { tenant_id, id }: MemoryKey, read_scope: ReadScope): Unit<MemoryRow | null> =>
  firstRow(work, { tenant_id, read_scope, ids: [id] });

/** The rows of these ids that the reader may see, in the order of the ids. */
export function* severalMemories(
  { dialect }: Work,
  read_scope: ReadScope,
  ids: readonly string[],
): Unit<StoredMemory[]> {
  if (ids.length === 0) return [];
  const visible = memoryWhere(dialect, { tenant_id: read_scope.tenant_id, read_scope, ids });
  const found = yield* memoriesOf(sql`select ${MEMORY_COLUMNS} from memories where ${visible}`);
  return inOrder(ids, found);
}

/** The same as far as they fit into so many bytes. */
export function* severalWithin(
  work: Work,
  read_scope: ReadScope,
  { ids, bytes }: { readonly ids: readonly string[]; readonly bytes: number },
): Unit<Page<StoredMemory>> {
  const visible = memoryWhere(work.dialect, { tenant_id: read_scope.tenant_id, read_scope, ids });
  const found = yield* rows<{ id: string; size: number }>(
    sql`select memories.id, ${rowSize(work.dialect)} as size from memories where ${visible}`,
  );
  const sized = inOrder(ids, found);
  const count = fitting(
    sized.map(({ size }) => size),
    { limit: ids.length, bytes },
  );
  const fits = sized.slice(0, count).map(({ id }) => id);
  return { items: yield* severalMemories(work, read_scope, fits), more: count < sized.length };
}

function inOrder<T extends { readonly id: string }>(ids: readonly string[], found: readonly T[]): T[] {
  const known = new Map(found.map((one) => [one.id, one]));
  return ids.flatMap((id) => known.get(id) ?? []);
}

/** The row that a request of this name stored, whoever may see it. */
export function* rowOfRequest(tenant_id: string, client_request_id: string): Unit<StoredMemory | null> {
  const [found] = yield* memoriesOf(sql`select ${MEMORY_COLUMNS} from memories
    where tenant_id = ${tenant_id} and client_request_id = ${client_request_id}`);
  return found ?? null;
}

/** The newest row of a run that has the same readers as this draft; rows without a run follow none. */
export function* lastOfRun(draft: StoredMemory): Unit<PreviousText | null> {
  const { tenant_id, run_id, visibility } = draft;
  if (run_id === null) return null;
  return yield* row<PreviousText>(sql`select content, content_hash from memories
    where tenant_id = ${tenant_id} and run_id = ${run_id} and deleted_at is null and audience = (
      select id from audiences
      where tenant_id = ${tenant_id} and kind = ${visibility} and owner = ${audienceOwner(draft)})
    order by seq desc limit 1`);
}

/** The vector of a row by this embedder; null while it has none, and for a silent one. */
export function* getVector(
  { dialect }: Work,
  space: EmbedderSpace,
  { tenant_id, id }: MemoryKey,
): Unit<Float32Array | null> {
  const found = yield* row<{ vector: Uint8Array | string }>(sql`select ${dialect.sent(sql`v.vector`)} as vector
    from memories m ${ownVectors(dialect, space, tenant_id)}
    where ${dialect.belongs("m", tenant_id)} and m.id = ${id}`);
  return found && vectorIn(found.vector);
}

/** Joins what `m` selects with its vectors. */
const ownVectors = (dialect: SqlDialect, space: EmbedderSpace, tenant_id: string): SQL =>
  sql`${dialect.nested} ${sql.raw(tablesOf(space).memory_vectors)} v on ${dialect.tenant("v", tenant_id)} and v.seq = m.seq`;

/** Vectors of rows by their ids, those that rows are held against each other by. */
export function* vectorsOf(
  { dialect }: Work,
  space: EmbedderSpace,
  tenant_id: string,
  ids: readonly string[],
): Unit<ReadonlyMap<string, Float32Array>> {
  const found = yield* rows<{
    id: string;
    vector: Uint8Array | string;
  }>(sql`select m.id, ${dialect.sent(sql`v.vector`)} as vector
    from memories m ${ownVectors(dialect, space, tenant_id)}
    where ${dialect.belongs("m", tenant_id)} and ${dialect.isIn(sql`m.id`, ids)} and v.embedder_id = ${space.id}`);
  const vectors = new Map<string, Float32Array>();
  for (const { id, vector } of found) {
    const values = vectorIn(vector);
    if (values) vectors.set(id, values);
  }
  return vectors;
}

/** Rows of a page, in its order. */
export const listMemories = ({ dialect }: Work, page: MemoryPageRequest): Unit<StoredMemory[]> =>
  memoriesOf(sql`select ${MEMORY_COLUMNS} from memories ${ofPage(dialect, page)}`);

/** The same as far as it fits into so many bytes. */
export const pageOfMemories = (work: Work, page: MemoryPageRequest & PageBounds): Unit<Page<StoredMemory>> =>
  pageOf(
    page,
    (limit) =>
      rows<{ size: number }>(
        sql`select ${rowSize(work.dialect)} as size from memories ${ofPage(work.dialect, { ...page, limit })}`,
      ),
    (limit) => listMemories(work, { ...page, limit }),
  );

const rowSize = (dialect: SqlDialect): SQL =>
  sizeOf(dialect, "memories", ["content", "metadata", "system_metadata", "entity_links"]);

/** Nothing comes before everything else; of the other columns the index that has them in order is of no use with such words. */
const NULLABLE: readonly MemorySort[] = ["fleet_id", "expires_at", "deleted_at"];

function ofPage(dialect: SqlDialect, { filter, sort, order, after, offset, limit }: MemoryPageRequest): SQL {
  const direction = sql.raw(order);
  const first = NULLABLE.includes(sort) ? sql.raw(order === "asc" ? "nulls first" : "nulls last") : sql``;
  const edge = after ? sql`and (memories.created_at, memories.id) < (${after.created_at}, ${after.id})` : sql``;
  return sql`where ${memoryWhere(dialect, filter)} ${edge}
    order by ${sql.raw(`memories.${sort}`)} ${direction} ${first}, memories.id ${direction}
    limit ${int(limit)} offset ${int(after ? 0 : offset)}`;
}

/** Ids of the rows of a filter, in order, from the one after `after` on. */
export function* idsOfMemories({ dialect }: Work, filter: MemoryFilter, after: string, limit: number): Unit<string[]> {
  const found = yield* rows<{ id: string }>(sql`select memories.id from memories
    where ${memoryWhere(dialect, filter)} and memories.id > ${after} order by memories.id limit ${int(limit)}`);
  return found.map(({ id }) => id);
}
