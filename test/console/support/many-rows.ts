import { resolvePrincipal, STANDALONE_TENANT } from "../../../src/access/resolve.ts";
import { systemClock } from "../../../src/core/kernel/clock.ts";
import type { NewMemory } from "../../../src/core/ports/memory-store.ts";
import { draftMemory } from "../../../src/memories/draft.ts";
import { openApp } from "../../support/in-process.ts";

/** Rows written at a time: twice as fast as a thousand. */
const BATCH = 200;
/** How far the rows lie apart. */
const STEP_MS = 60_000;

/** Fills a data folder with so many short memories, indexed as any are, but not compared with each other. */
export async function fillRows(folder: string, count: number): Promise<void> {
  const end = systemClock.now();
  let written = 0;
  const { app } = await openApp({ folder, clock: { now: () => end - (count - written) * STEP_MS } });
  const { services } = app;
  const ctx = { ...services, principal: await resolvePrincipal(services, new Headers()), door: "http" as const };
  const scope = {
    tenant_id: STANDALONE_TENANT,
    agent_id: "builder",
    fleet_id: null,
    visibility: "scope_team",
  } as const;
  const actor = { agent_id: null, auth_source: "standalone" };
  try {
    while (written < count) {
      const texts = Array.from({ length: Math.min(BATCH, count - written) }, (_, i) => `Build ${written + i} passed.`);
      const vectors = await ctx.embedder.embed(texts, { role: "passage", priority: "background" });
      const entries = texts.map((content, i): NewMemory => {
        const own = vectors[i];
        if (!own) throw new Error("A text has no vector.");
        const memory = { ...draftMemory(ctx, scope, { content }, []), embedded_by: ctx.embedder.id };
        return { memory, vectors: { own, context: null }, client_request_id: null };
      });
      await ctx.storage.memories.insert({ entries, actor, memories_limit: Number.MAX_SAFE_INTEGER, jobsFor: () => [] });
      written += entries.length;
    }
  } finally {
    await app.stop();
  }
}
