import type { SearchStorage } from "../core/ports/context.ts";
import type { ReadScope } from "../core/ports/memory-filter.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { SupersededBy } from "../core/schema/memory.ts";
import { DEMOTION_REASONS } from "../core/schema/memory.ts";

/** What each of a page of memories supersedes, as far as the reader sees it, the surest first; looked up once, and only where there is any. */
export async function supersededBy(
  ctx: { readonly storage: Pick<SearchStorage, "contradictions"> },
  memories: readonly Pick<StoredMemory, "id" | "supersedes_id">[],
  read_scope: ReadScope,
): Promise<ReadonlyMap<string, SupersededBy[]>> {
  const ids = memories.filter(({ supersedes_id }) => supersedes_id !== null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await ctx.storage.contradictions.superseded(read_scope.tenant_id, ids, read_scope);
  const views = Map.groupBy(found, ({ newer_id }) => newer_id);
  return new Map(
    Array.from(views, ([newer_id, rows]) => [
      newer_id,
      rows.map(({ older, status, preview }) => ({
        old_memory_id: older.id,
        old_status: older.status,
        reason: DEMOTION_REASONS[status],
        old_content_preview: preview,
        direction: "canonical" as const,
      })),
    ]),
  );
}
