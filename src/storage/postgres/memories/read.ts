import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { MemoryFilter, ReadScope } from "../../../core/ports/memory-filter.ts";
import type { MemoryPageRequest } from "../../../core/ports/memory-store.ts";
import type { Page, PageBounds } from "../../../core/ports/page.ts";
import type { MemoryKey, StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { MemorySort } from "../../../core/schema/memory-query.ts";
import { comparedColumn, tablesOf } from "../../common/sides.ts";
import { vectorIn } from "../../units/vectors.ts";
import { pageOf, sizeText } from "../engine/page-size.ts";
import { memories } from "../engine/tables.ts";
import { sentVector, textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { memoryWhere } from "./filters.ts";
import { MEMORY_COLUMNS } from "./rows.ts";

/** The row at this address that the reader may see; null without one. */
export const findMemory = (work: Work, { tenant_id, id }: MemoryKey, read_scope: ReadScope) =>
  work.row<StoredMemory>(sql`select ${MEMORY_COLUMNS} from memories
    where ${memoryWhere({ tenant_id, read_scope })} and memories.id = ${id}`);

/** The rows of these ids that the reader may see, in the order of the ids. */
export async function severalMemories(
  work: Work,
  read_scope: ReadScope,
  ids: readonly string[],
): Promise<StoredMemory[]> {
  if (ids.length === 0) return [];
  const visible = memoryWhere({ tenant_id: read_scope.tenant_id, read_scope, ids });
  const found = await work.rows<StoredMemory>(sql`select ${MEMORY_COLUMNS} from memories where ${visible}`);
  const rows = new Map(found.map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** The same as far as they fit into so many bytes. */
export async function severalWithin(
  work: Work,
  read_scope: ReadScope,
  { ids, bytes }: { ids: readonly string[]; bytes: number },
): Promise<Page<StoredMemory>> {
  const visible = memoryWhere({ tenant_id: read_scope.tenant_id, read_scope });
  const rows = await work.rows<StoredMemory & { readonly visible: number }>(sql`
    select ${MEMORY_COLUMNS}, memories.visible
    from (
      select memories.*, count(*) over () as visible, row_number() over (order by wanted.place) as number,
        sum(${SIZE}) over (order by wanted.place) as size
      from unnest(${textArray(ids)}) with ordinality as wanted (id, place) join memories on memories.id = wanted.id
      where ${visible}) memories
    where memories.number = 1 or memories.size <= ${bytes} order by memories.number`);
  const items = rows.map(({ visible: _visible, ...memory }): StoredMemory => memory);
  return { items, more: items.length < (rows[0]?.visible ?? 0) };
}

/** The row that a request of this name stored, whoever may see it. */
export const rowOfRequest = (work: Work, tenant_id: string, client_request_id: string): Promise<StoredMemory | null> =>
  work.row<StoredMemory>(sql`select ${MEMORY_COLUMNS} from memories
    where tenant_id = ${tenant_id} and client_request_id = ${client_request_id}`);

/** The vector of a row by the embedder of the work's space; null while it has none. */
export async function getVector(work: Work, { tenant_id, id }: MemoryKey): Promise<Float32Array | null> {
  const row = await work.row<{ vector: string }>(sql`select ${sentVector(sql`v.vector`)} as vector
    from memories m join ${vectorsTable(work)} v on v.tenant_id = m.tenant_id and v.seq = m.seq
    where m.tenant_id = ${tenant_id} and m.id = ${id}`);
  return vectorIn(row?.vector ?? null);
}

const vectorsTable = ({ space }: Work): SQL => sql.raw(tablesOf(space).memory_vectors);

/** Vectors of rows by their ids, those that rows are held against each other by. */
export async function vectorsOf(
  work: Work,
  tenant_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Float32Array>> {
  const column = sql.raw(`v.${comparedColumn(work.space)}`);
  const rows = await work.rows<{ id: string; vector: string }>(sql`select m.id, ${sentVector(column)} as vector
    from memories m join ${vectorsTable(work)} v on v.tenant_id = m.tenant_id and v.seq = m.seq
    where m.tenant_id = ${tenant_id} and m.id = any(${textArray(ids)}) and v.embedder_id = ${work.space.id}
      and ${column} is not null`);
  const found = new Map<string, Float32Array>();
  for (const { id, vector } of rows) {
    const values = vectorIn(vector);
    if (values) found.set(id, values);
  }
  return found;
}

/** Rows of a page, in its order. */
export const listMemories = (work: Work, page: MemoryPageRequest): Promise<StoredMemory[]> =>
  work.rows<StoredMemory>(sql`select ${MEMORY_COLUMNS} from memories ${ofPage(page)}`);

/** The same as far as it fits into so many bytes. */
export const pageOfMemories = (work: Work, page: MemoryPageRequest & PageBounds): Promise<Page<StoredMemory>> =>
  pageOf(
    page,
    async (limit) => {
      const rows = await work.rows<{ size: number }>(
        sql`select ${SIZE} as size from memories ${ofPage({ ...page, limit })}`,
      );
      return rows.map(({ size }) => size);
    },
    (limit) => listMemories(work, { ...page, limit }),
  );

const SIZE = sizeText("memories", ["content", "metadata", "system_metadata", "entity_links"]);

/** Nothing comes before everything else; of the other columns the index that has them in order is of no use with such words. */
const NULLABLE: readonly MemorySort[] = ["fleet_id", "expires_at", "deleted_at"];

function ofPage({ filter, sort, order, after, offset, limit }: MemoryPageRequest): SQL {
  const direction = sql.raw(order);
  const first = NULLABLE.includes(sort) ? sql.raw(order === "asc" ? "nulls first" : "nulls last") : sql``;
  const edge = after ? sql`and (memories.created_at, memories.id) < (${after.created_at}, ${after.id})` : sql``;
  return sql`where ${memoryWhere(filter)} ${edge}
    order by ${memories[sort]} ${direction} ${first}, memories.id ${direction}
    limit ${limit} offset ${after ? 0 : offset}`;
}

/** Ids of the rows of a filter, in order, from the one after `after` on. */
export async function idsOfMemories(
  work: Work,
  filter: MemoryFilter,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await work.rows<{ id: string }>(sql`select memories.id from memories
    where ${memoryWhere(filter)} and memories.id > ${after} order by memories.id limit ${limit}`);
  return rows.map(({ id }) => id);
}
