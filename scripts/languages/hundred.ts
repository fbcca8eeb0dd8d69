import { STANDALONE_TENANT } from "../../src/access/resolve.ts";
import type { Ctx } from "../../src/core/ports/context.ts";
import { writeDocument } from "../../src/documents/write.ts";
import type { Language } from "../../test/relevance/sets.ts";
import { TOLD } from "../../test/relevance/sets.ts";
import { load } from "../ablate/run.ts";
import { ctxOf, openApp } from "../bench/folder.ts";

/** An app that holds the hundred memories of the languages that were asked of it, each language an author of its own. */
export interface Hundred {
  readonly ctx: Ctx;
  /** Stores the hundred of a language, as memories and as documents, once. */
  store(language: Language): Promise<void>;
  close(): Promise<void>;
}

/** A hundred memories in six languages, in a folder of their own. */
export async function openTold(): Promise<Hundred> {
  const app = await openApp(null);
  const ctx = await ctxOf(app);
  const stored = new Set<Language>();
  return {
    ctx,
    store: async (language) => {
      if (stored.has(language)) return;
      stored.add(language);
      const memories = TOLD.map(({ [language]: { memory } }, i) => ({ ref: String(i), group: language, text: memory }));
      await load(ctx, { name: language, memories, queries: [], unanswerable: [] }, app.runner.drain);
      for (const { ref, text } of memories) {
        const data = { summary: text };
        await writeDocument(ctx, { tenant_id: STANDALONE_TENANT, collection: language, doc_id: ref, data });
      }
      await app.runner.drain();
    },
    close: () => app.stop(),
  };
}
