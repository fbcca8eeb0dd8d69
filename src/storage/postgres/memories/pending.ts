import { sql } from "drizzle-orm";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { PendingMemory, PreviousText } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { Work } from "../engine/work.ts";
import { memoryWhere } from "./filters.ts";
import { MEMORY_COLUMNS } from "./rows.ts";

const unembedded = (tenant_id: string, ids: readonly string[], embedder_id: string) =>
  sql`${memoryWhere({ tenant_id, ids })} and memories.embedded_by is distinct from ${embedder_id}`;

type Read = StoredMemory & { readonly previous: PreviousText | null };

/** Rows among these ids that have no vector of this embedder, each with the text of the row before it in its run. */
export async function pendingMemories(
  work: Work,
  tenant_id: string,
  { ids, embedder_id }: { readonly ids: readonly string[]; readonly embedder_id: string },
): Promise<PendingMemory[]> {
  const rows = await work.rows<Read>(sql`
    select ${MEMORY_COLUMNS},
      (select json_build_object('content', before.content, 'content_hash', before.content_hash)
        from memories before where before.tenant_id = memories.tenant_id and before.seq = memories.previous_seq
          and before.deleted_at is null) as previous
    from memories where ${unembedded(tenant_id, ids, embedder_id)} order by memories.seq`);
  return rows.map(({ previous, ...memory }) => ({ memory, previous }));
}

/** Ids among these of rows that have no vector of this embedder. */
export async function pendingIds(
  work: Work,
  tenant_id: string,
  { ids, embedder_id }: { readonly ids: readonly string[]; readonly embedder_id: string },
): Promise<string[]> {
  const rows = await work.rows<{ id: string }>(
    sql`select memories.id from memories where ${unembedded(tenant_id, ids, embedder_id)} order by memories.seq`,
  );
  return rows.map(({ id }) => id);
}

/** The places of the index of pending rows where a row without a vector of this embedder may be; a search asks each time. */
const places = (embedder_id: string) => [
  sql`embedded_by is null`,
  sql`embedded_by < ${embedder_id}`,
  sql`embedded_by > ${embedder_id}`,
];

/** How many rows of the filter lack a vector of the embedder of the work's space; counts no further than `most`. */
export async function countPending(work: Work, filter: MemoryFilter, most: number): Promise<number> {
  const where = memoryWhere({ ...filter, include_deleted: false });
  const found = places(work.space.id).map(
    (place) => sql`(select 1 from memories where ${where} and memories.${place} limit ${most})`,
  );
  const counted = await work.row<{ n: number }>(
    sql`select count(*) as n from (select 1 from (${sql.join(found, sql` union all `)}) f limit ${most}) c`,
  );
  return counted?.n ?? 0;
}

/** The same of all tenants. */
export async function countAllPending(work: Work): Promise<number> {
  const perTenant = places(work.space.id).map(
    (place) => sql`(select count(*) from memories m
      where m.tenant_id = u.tenant_id and m.deleted_at is null and m.${place})`,
  );
  const counted = await work.row<{ n: number }>(sql`
    select coalesce(sum(${sql.join(perTenant, sql` + `)}), 0)::bigint as n from tenant_usage u
    where u.memories_stored > 0`);
  return counted?.n ?? 0;
}
