import { requireAdmin } from "../access/trust.ts";
import { searchableOf } from "../documents/searchable.ts";
import { turn } from "../kernel/turns.ts";
import type { Ctx } from "../ports/context.ts";
import type { StoredDocument } from "../ports/document-store.ts";
import type { RebuildPlace, SearchableText } from "../ports/storage.ts";
import type { IndexesRebuilt, IntegrityReport } from "../schema/integrity.ts";

/** Whether rows and the indexes made from them agree, over all tenants. Administrators only. */
export async function inspect(ctx: Ctx): Promise<IntegrityReport> {
  requireAdmin(ctx);
  const checks = await ctx.storage.indexes.inspect();
  return { ok: checks.every(({ ok }) => ok), checks };
}

/**
 * Makes every index anew from the rows, a few at a time, so that search goes on meanwhile; whatever has lost its vector
 * is embedded again by jobs. Administrators only.
 */
export async function rebuildIndexes(ctx: Ctx): Promise<IndexesRebuilt> {
  requireAdmin(ctx);
  const done = { memories: 0, documents: 0, embeddings_queued: 0 };
  let from: RebuildPlace | null = null;
  do {
    const step = await ctx.storage.indexes.rebuild(from, textOf);
    done.memories += step.memories;
    done.documents += step.documents;
    done.embeddings_queued += step.embeddings_queued;
    from = step.next;
    // Lets whoever waits go first.
    await turn();
  } while (from !== null);
  return { ...done, report: await inspect(ctx) };
}

const textOf = ({ collection, doc_id, data }: StoredDocument): SearchableText | null =>
  searchableOf(collection, doc_id, data);
