import { rounded } from "../core/kernel/text.ts";
import type { SearchStorage } from "../core/ports/context.ts";
import type { ReadScope } from "../core/ports/memory-filter.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { LIVE_STATUSES } from "../core/schema/memory.ts";
import type { PossibleChange } from "../core/schema/observing/possible-change.ts";

/** By which newer memories each live one of a page may hold no longer, as far as the reader sees these; the surest first. */
export async function possibleChanges(
  ctx: { readonly storage: Pick<SearchStorage, "contradictions"> },
  memories: readonly Pick<StoredMemory, "id" | "status">[],
  read_scope: ReadScope,
): Promise<ReadonlyMap<string, PossibleChange[]>> {
  const ids = memories.filter(({ status }) => LIVE_STATUSES.includes(status)).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await ctx.storage.contradictions.possible(read_scope.tenant_id, ids, read_scope);
  const views = Map.groupBy(found, ({ older_id }) => older_id);
  return new Map(
    Array.from(views, ([older_id, rows]) => [
      older_id,
      rows.map(({ id, preview, created_at, rule, certainty }) => ({
        memory_id: id,
        content_preview: preview,
        created_at,
        rule,
        confidence: rounded(certainty),
      })),
    ]),
  );
}
