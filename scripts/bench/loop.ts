import { writeMemories } from "../../src/memories/bulk.ts";
import type { Measurement, Section } from "./figures.ts";
import { spread } from "./figures.ts";
import { ctxOf, openApp } from "./folder.ts";
import { createAuthor } from "./text.ts";
import { threadTime } from "./thread-time.ts";

const TICK_MS = 1;
const IDLE_MS = 1_000;
const SEARCHES = 150;
const WARM_UP = 100;
const BULKS = 4;
const BULK_ROWS = 100;
const SEED = 31;

/**
 * How late a timer of one millisecond fires while the app works, inside this process: how long the event loop is held up. A
 * thread that the machine does not let run is late too; `busy` is how long it worked itself between two ticks.
 */
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
    await writeMemories(ctx, { body: { tenant_id: "default", items }, attempt_id: null, refused: new Map() });
  }
  const embedding = await lags(() => app.runner.drain());
  await app.stop();
  return [
    ...holds(section, "idle", idle, "what the machine itself is late by"),
    ...holds(section, "search", searching, "client and server share the loop"),
    ...holds(section, "embedding", embedding, "rows are embedded, linked and compared"),
  ];
}

function holds(section: Section, when: string, { late, busy }: Lags, note: string): Measurement[] {
  return [
    spread(section, `loop.${when}_lag_ms`, late, note),
    ...(busy.length === 0
      ? []
      : [spread(section, `loop.${when}_busy_ms`, busy, "processor time of the thread itself")]),
  ];
}

interface Lags {
  readonly late: readonly number[];
  /** Empty where the system does not tell. */
  readonly busy: readonly number[];
}

/** By how much each tick came late while the work ran, and how long the thread had worked since the one before. */
async function lags(work: () => Promise<unknown>): Promise<Lags> {
  const late: number[] = [];
  const busy: number[] = [];
  const worked = threadTime();
  let last = performance.now();
  let lastWorked = worked?.() ?? 0;
  const timer = setInterval(() => {
    const now = performance.now();
    late.push(Math.max(0, now - last - TICK_MS));
    last = now;
    if (!worked) return;
    const nowWorked = worked();
    busy.push(nowWorked - lastWorked);
    lastWorked = nowWorked;
  }, TICK_MS);
  await work();
  clearInterval(timer);
  return { late, busy };
}
