import type { SQLQueryBindings } from "bun:sqlite";
import type { SQL } from "drizzle-orm";
import { and, asc, count, countDistinct, desc, eq, gt, isNotNull, ne, sql } from "drizzle-orm";
import type { SQLiteSelect } from "drizzle-orm/sqlite-core";
import type { MemoryFilter, ReadScope } from "../../../core/ports/memory-filter.ts";
import type { FleetCount, MemoryPageRequest } from "../../../core/ports/memory-store.ts";
import type { Page, PageBounds } from "../../../core/ports/page.ts";
import type { MemoryKey, StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { MemoryStats } from "../../../core/schema/memory-query.ts";
import { comparedColumn, tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import { pageOf, sizeText } from "../engine/page-size.ts";
import { memories, tenantUsage } from "../engine/tables.ts";
import { memoryVectorsOf } from "../vectors/tables.ts";
import { memoryWhere, memoryWhereText } from "./filters.ts";
import type { MemoryRow, RawMemory } from "./rows.ts";
import { blobVector, MEMORY_COLUMNS, parseMemory, toStoredMemory } from "./rows.ts";

/** The row at this address that the reader may see, with the engine's own columns. */
export function findRow(db: Connections["drizzleRead"], key: MemoryKey, read_scope: ReadScope): MemoryRow | null {
  const visible = memoryWhere({ tenant_id: key.tenant_id, read_scope });
  return (
    db
      .select()
      .from(memories)
      .where(and(eq(memories.id, key.id), visible))
      .get() ?? null
  );
}

/** The rows of these ids that the reader may see, in the order of the ids. */
export function severalMemories(db: Connections, read_scope: ReadScope, ids: readonly string[]): StoredMemory[] {
  if (ids.length === 0) return [];
  const visible = memoryWhereText({ tenant_id: read_scope.tenant_id, read_scope });
  const found = db.readConnection
    .query<RawMemory, SQLQueryBindings[]>(`
      select ${MEMORY_COLUMNS} from json_each(?) wanted
      cross join memories on memories.id = wanted.value
      where ${visible.sql}`)
    .all(JSON.stringify(ids), ...visible.params);
  const rows = new Map(found.map((row) => [row.id, parseMemory(row)]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** The same as far as they fit into so many bytes. */
export function severalWithin(
  db: Connections,
  read_scope: ReadScope,
  { ids, bytes }: { ids: readonly string[]; bytes: number },
): Page<StoredMemory> {
  const visible = memoryWhereText({ tenant_id: read_scope.tenant_id, read_scope });
  const sizes = db.readConnection
    .query<{ id: string; size: number }, SQLQueryBindings[]>(`
      select memories.id, ${SIZE_TEXT} as size from json_each(?) wanted
      cross join memories on memories.id = wanted.value
      where ${visible.sql} order by wanted.key`)
    .all(JSON.stringify(ids), ...visible.params);
  return pageOf(
    { limit: ids.length, bytes },
    () => sizes.map(({ size }) => size),
    (count) =>
      severalMemories(
        db,
        read_scope,
        sizes.slice(0, count).map(({ id }) => id),
      ),
  );
}

/** The row that a request of this name stored, whoever may see it. */
export function rowOfRequest(db: Connections, tenant_id: string, client_request_id: string): StoredMemory | null {
  const named = and(eq(memories.tenant_id, tenant_id), eq(memories.client_request_id, client_request_id));
  const row = db.drizzleRead.select().from(memories).where(named).get();
  return row ? toStoredMemory(row) : null;
}

/** The vector of a row by this embedder; null while it has none. */
export function getVector(db: Connections, space: EmbedderSpace, key: MemoryKey): Float32Array | null {
  const vectors = memoryVectorsOf(space);
  const row = db.drizzleRead
    .select({ vector: vectors.vector })
    .from(memories)
    .innerJoin(vectors, eq(vectors.seq, memories.seq))
    .where(and(eq(memories.tenant_id, key.tenant_id), eq(memories.id, key.id)))
    .get();
  return row ? blobVector(row.vector) : null;
}

/** Vectors of rows by their ids. */
export function vectorsOf(
  db: Connections,
  space: EmbedderSpace,
  tenant_id: string,
  ids: readonly string[],
): ReadonlyMap<string, Float32Array> {
  const column = `v.${comparedColumn(space)}`;
  const found = db.readConnection.query<{ id: string; vector: Uint8Array }, string[]>(
    `select memories.id, ${column} as vector from json_each(?) wanted
    cross join memories on memories.id = wanted.value
    cross join ${tablesOf(space).memory_vectors} v on v.seq = memories.seq
    where +memories.tenant_id = ? and v.embedder_id = ? and ${column} is not null`,
  );
  const rows = found.all(JSON.stringify(ids), tenant_id, space.id);
  return new Map(rows.map(({ id, vector }) => [id, blobVector(vector)]));
}

/** Rows of a page, in its order. */
export const listMemories = (db: Connections, page: MemoryPageRequest): StoredMemory[] =>
  ofPage(db.drizzleRead.select().from(memories).$dynamic(), page).all().map(toStoredMemory);

/** The same as far as it fits into so many bytes. */
export const pageOfMemories = (db: Connections, page: MemoryPageRequest & PageBounds): Page<StoredMemory> =>
  pageOf(
    page,
    (limit) =>
      ofPage(db.drizzleRead.select({ size: SIZE }).from(memories).$dynamic(), { ...page, limit })
        .all()
        .map(({ size }) => size),
    (limit) => listMemories(db, { ...page, limit }),
  );

const SIZE_TEXT = sizeText("memories", ["content", "metadata", "system_metadata", "entity_links"]);
const SIZE = sql<number>`${sql.raw(SIZE_TEXT)}`;

function ofPage<T extends SQLiteSelect>(rows: T, page: MemoryPageRequest) {
  const direction = page.order === "asc" ? asc : desc;
  return rows
    .where(and(memoryWhere(page.filter), afterEdge(page)))
    .orderBy(direction(memories[page.sort]), direction(memories.id))
    .limit(page.limit)
    .offset(page.after ? 0 : page.offset);
}

function afterEdge({ after }: MemoryPageRequest): SQL | undefined {
  if (!after) return undefined;
  return sql`(${memories.created_at}, ${memories.id}) < (${after.created_at}, ${after.id})`;
}

/** Ids of the rows of a filter. */
export const idsOfMemories = (db: Connections, filter: MemoryFilter, after: string, limit: number): string[] =>
  db.drizzleRead
    .select({ id: memories.id })
    .from(memories)
    .where(and(memoryWhere(filter), gt(memories.id, after)))
    .orderBy(asc(memories.id))
    .limit(limit)
    .all()
    .map(({ id }) => id);

/** How many rows a filter has. */
export function countMemories(db: Connections, filter: MemoryFilter): number {
  return db.drizzleRead.select({ n: count() }).from(memories).where(memoryWhere(filter)).get()?.n ?? 0;
}

/** Rows of a filter counted by type, agent and status. */
export function memoryStats(db: Connections, filter: MemoryFilter): MemoryStats {
  const kept = memoryWhere({ ...filter, include_deleted: false });
  const tally = (column: typeof memories.memory_type | typeof memories.agent_id | typeof memories.status) => {
    const rows = db.drizzleRead
      .select({ key: sql<string>`${column}`, n: count() })
      .from(memories)
      .where(kept)
      .groupBy(column);
    return Object.fromEntries(rows.all().map(({ key, n }) => [key, n]));
  };
  const total = countMemories(db, { ...filter, include_deleted: false });
  const withDeleted = countMemories(db, { ...filter, include_deleted: true });
  return {
    total,
    by_type: tally(memories.memory_type),
    by_agent: tally(memories.agent_id),
    by_status: tally(memories.status),
    by_tenant: total > 0 ? { [filter.tenant_id]: total } : {},
    deleted: withDeleted - total,
    total_including_deleted: withDeleted,
  };
}

/** Public and open to everyone, so it must cost little: sums counters, and looks each author up. */
export function counters(db: Connections) {
  const [row] = db.drizzleRead.all<{ tenant_count: number; memory_count: number; agent_count: number }>(sql`
    select
      (select count(*) from tenant_usage where memories_stored > 0) as tenant_count,
      (select coalesce(sum(memories_stored), 0) from tenant_usage) as memory_count,
      (select count(*) from agents a where exists (
        select 1 from memories m where m.author = a.seq and m.deleted_at is null
      )) as agent_count`);
  return row ?? { tenant_count: 0, memory_count: 0, agent_count: 0 };
}

/** Tenants that have memories, sorted. */
export function listTenants(db: Connections): string[] {
  const rows = db.drizzleRead.select().from(tenantUsage).where(gt(tenantUsage.memories_stored, 0));
  return rows
    .all()
    .map(({ tenant_id }) => tenant_id)
    .sort();
}

/** Walks from tenant to tenant along the index of deleted rows. */
export function tenantsWithDeleted(db: Connections): string[] {
  const next = db.writeConnection.query<{ tenant_id: string | null }, [string]>(
    "select min(tenant_id) as tenant_id from memories where deleted_at is not null and tenant_id > ?",
  );
  const found: string[] = [];
  for (let last: string | null = next.get("")?.tenant_id ?? null; last !== null; ) {
    found.push(last);
    last = next.get(last)?.tenant_id ?? null;
  }
  return found;
}

/** Fleets with what their readers share, counted. */
export function listFleets(db: Connections, read_scope: ReadScope): FleetCount[] {
  const shared = and(
    memoryWhere({ tenant_id: read_scope.tenant_id, read_scope }),
    isNotNull(memories.fleet_id),
    ne(memories.visibility, "scope_agent"),
  );
  const memory_count = count();
  return db.drizzleRead
    .select({
      fleet_id: sql<string>`${memories.fleet_id}`,
      memory_count,
      agent_count: countDistinct(memories.agent_id),
    })
    .from(memories)
    .where(shared)
    .groupBy(memories.fleet_id)
    .orderBy(desc(memory_count), asc(memories.fleet_id))
    .all();
}
