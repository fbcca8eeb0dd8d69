import { writeMemories } from "../../src/memories/bulk.ts";
import type { Measurement, Section } from "./figures.ts";
import { spread } from "./figures.ts";
import { ctxOf, openApp } from "./folder.ts";
import { createAuthor } from "./text.ts";

const TICK_MS = 1;
const IDLE_MS = 1_000;
const SEARCHES = 150;
const WARM_UP = 100;
const BULKS = 4;
const BULK_ROWS = 100;
const SEED = 31;

/** How late a timer of one millisecond fires while the app works, inside this process: how long the event loop is held up. */
export async function benchLoop(folder: string, section: Section): Promise<Measurement[]> {
  const app = await openApp(folder);
  await app.services.embedder.ready();
  const { url } = app.listen();
  const author = createAuthor(SEED);
  const search = async (questions: readonly string[]) => {
    for (const query of questions) {
      const body = JSON.stringify({ tenant_id: "default", query });
      const init = { method: "POST", body, headers: { "content-type": "application/json" } };
      await (await fetch(`${url}/api/v1/search`, init)).text();
    }
  };
  await search(author.questions(WARM_UP));
  const idle = await lags(() => Bun.sleep(IDLE_MS));
  const searching = await lags(() => search(author.questions(SEARCHES)));
  const ctx = await ctxOf(app);
  const rows = author.rows(BULKS * BULK_ROWS);
  for (let i = 0; i < BULKS; i++) {
    const items = rows.slice(i * BULK_ROWS, (i + 1) * BULK_ROWS).map((row) => ({ ...row }));
    await writeMemories(ctx, { body: { tenant_id: "default", items }, attempt_id: null });
  }
  const embedding = await lags(() => app.runner.drain());
  await app.stop();
  return [
    spread(section, "loop.idle_lag_ms", idle, "what the machine itself is late by"),
    spread(section, "loop.search_lag_ms", searching, "client and server share the loop"),
    spread(section, "loop.embedding_lag_ms", embedding, "vectors arrive and are stored"),
  ];
}

/** By how much each tick came late while the work ran. */
async function lags(work: () => Promise<unknown>): Promise<number[]> {
  const late: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    late.push(Math.max(0, now - last - TICK_MS));
    last = now;
  }, TICK_MS);
  await work();
  clearInterval(timer);
  return late;
}
