import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { MemoryFilter } from "../../core/ports/memory-filter.ts";
import type { PendingMemory } from "../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { EmbedderSpace } from "../options.ts";
import type { SqlDialect } from "../units/dialect.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import { memoryWhere } from "./filters.ts";
import type { ReadMemory } from "./rows.ts";
import { MEMORY_COLUMNS, toMemory } from "./rows.ts";

/** Rows that are asked whether they wait for a vector of an embedder. */
export interface Asked {
  readonly tenant_id: string;
  readonly ids: readonly string[];
  readonly embedder_id: string;
}

const unembedded = (dialect: SqlDialect, { tenant_id, ids, embedder_id }: Asked): SQL =>
  sql`${memoryWhere(dialect, { tenant_id, ids })} and memories.embedded_by is distinct from ${embedder_id}`;

/** Rows among these ids that have no vector of this embedder, each with the text of the row before it in its run. */
export const pendingMemories = ({ dialect }: Work, asked: Asked): Unit<PendingMemory[]> =>
  withPrevious(dialect, unembedded(dialect, asked));

/** The rows of a condition, each with the text of the row before it in its run. */
export function* withPrevious(dialect: SqlDialect, where: SQL): Unit<PendingMemory[]> {
  const found = yield* rows<ReadMemory & { previous_content: string | null; previous_hash: string | null }>(sql`
    select ${MEMORY_COLUMNS}, earlier.content as previous_content, earlier.content_hash as previous_hash
    from memories left join memories earlier on ${dialect.belongs("earlier", sql`memories.tenant_id`)}
      and earlier.seq = memories.previous_seq and earlier.deleted_at is null
    where ${where} order by memories.seq`);
  return found.map(({ previous_content: content, previous_hash: content_hash, ...memory }) => ({
    memory: toMemory(memory),
    previous: content === null || content_hash === null ? null : { content, content_hash },
  }));
}

/** Ids among these of rows that have no vector of this embedder. */
export function* pendingIds({ dialect }: Work, asked: Asked): Unit<string[]> {
  const found = yield* rows<{ id: string }>(
    sql`select memories.id from memories where ${unembedded(dialect, asked)} order by memories.seq`,
  );
  return found.map(({ id }) => id);
}

/** The places of the index of pending rows where a row without a vector of this embedder may be; a search asks each time. */
const places = ({ id }: EmbedderSpace): SQL[] => [
  sql`memories.embedded_by is null`,
  sql`memories.embedded_by < ${id}`,
  sql`memories.embedded_by > ${id}`,
];

const pendingAt = ({ indexed }: SqlDialect, place: SQL, where: SQL): SQL =>
  sql`from memories ${indexed("memories_pending")} where ${where} and memories.deleted_at is null and ${place}`;

/** How many rows of the filter lack a vector of this embedder; counts no further than `most`. */
export function* countPending(
  { dialect }: Work,
  space: EmbedderSpace,
  filter: MemoryFilter,
  most: number,
): Unit<number> {
  const where = sql`memories.tenant_id = ${filter.tenant_id}
    and ${memoryWhere(dialect, { ...filter, include_deleted: false })}`;
  const found = places(space).map(
    (place) => sql`select * from (select 1 as one ${pendingAt(dialect, place, where)} limit ${int(most)}) found`,
  );
  const counted = yield* row<{ n: number }>(
    sql`select count(*) as n from (${sql.join(found, sql` union all `)} limit ${int(most)}) counted`,
  );
  return counted?.n ?? 0;
}

/** The same of all tenants. */
export function* countAllPending({ dialect }: Work, space: EmbedderSpace): Unit<number> {
  const perTenant = places(space).map(
    (place) => sql`(select count(*) ${pendingAt(dialect, place, sql`memories.tenant_id = u.tenant_id`)})`,
  );
  const counted = yield* row<{ n: number }>(sql`
    select cast(coalesce(sum(${sql.join(perTenant, sql` + `)}), 0) as bigint) as n from tenant_usage u
    where u.memories_stored > 0`);
  return counted?.n ?? 0;
}

/** Whether only another model has read a memory or a document: a job has it read anew. */
export const isReadByOther = (
  { embedded_by }: Pick<StoredMemory, "embedded_by">,
  { id }: Pick<EmbedderSpace, "id">,
): boolean => embedded_by !== null && embedded_by !== id;
