import { z } from "zod";
import type { Measurement, Section } from "./figures.ts";
import { single, spread } from "./figures.ts";
import type { BenchServer, Target } from "./server.ts";
import { startServer } from "./server.ts";
import { createAuthor } from "./text.ts";

const SINGLES = 100;
const BULKS = 10;
const BULK_ROWS = 100;
const BUSY_SEARCHES = 60;
const POLL_MS = 100;
/** Other texts than those the folder was filled with. */
const WRITE_SEED = 11;

/** Single writes, bulk writes, embedding in the background, and searches meanwhile; all on a durable folder. */
export async function benchWrite(target: Target, folder: string, section: Section): Promise<Measurement[]> {
  const server = await startServer(target, folder);
  await server.modelReady();
  const author = createAuthor(WRITE_SEED);
  const texts = author.rows(SINGLES + 2 * BULKS * BULK_ROWS);
  const singles: number[] = [];
  for (const row of texts.splice(0, SINGLES)) {
    singles.push((await server.call("POST", "/memories", { tenant_id: "default", ...row })).outside_ms);
  }
  const bulks = await writeBulks(server, texts.splice(0, BULKS * BULK_ROWS));
  const embedded = await untilEmbedded(server);
  await writeBulks(server, texts);
  const busy: number[] = [];
  for (const question of author.questions(BUSY_SEARCHES)) busy.push((await server.search(question)).outside_ms);
  const wasBusy = (await countPending(server)) > 0;
  await server.stop();
  const bulk_s = bulks.times.reduce((sum, ms) => sum + ms, 0) / 1_000;
  return [
    spread(section, "write.one_ms", singles, "embedded before the reply"),
    spread(section, "bulk.accept_100_ms", bulks.times, "one after the other, the model at work from the second on"),
    single(section, "bulk.accepted_rows_per_s", (BULKS * BULK_ROWS) / bulk_s),
    single(
      section,
      "embed.rows_per_s",
      (BULKS * BULK_ROWS * 1_000) / (embedded - bulks.startedAt),
      "write to last vector; turns have two",
    ),
    spread(
      section,
      "busy.search_ms",
      busy,
      wasBusy ? "rows were being embedded all the while" : "the model ran out of rows",
    ),
  ];
}

async function writeBulks(server: BenchServer, rows: readonly object[]) {
  const startedAt = performance.now();
  const times: number[] = [];
  for (let i = 0; i < rows.length; i += BULK_ROWS) {
    const items = rows.slice(i, i + BULK_ROWS);
    times.push((await server.call("POST", "/memories/bulk", { tenant_id: "default", items })).outside_ms);
  }
  return { times, startedAt };
}

/** When the newest rows had their vectors: rows are embedded in order of writing. */
async function untilEmbedded(server: BenchServer): Promise<number> {
  while ((await countPending(server)) > 0) await Bun.sleep(POLL_MS);
  return performance.now();
}

const Page = z.object({
  items: z.array(z.object({ metadata: z.looseObject({ embedding_pending: z.boolean().optional() }).nullable() })),
});

async function countPending(server: BenchServer): Promise<number> {
  const { body } = await server.call("GET", "/memories?tenant_id=default&limit=100");
  return Page.parse(body).items.filter(({ metadata }) => metadata?.embedding_pending === true).length;
}
