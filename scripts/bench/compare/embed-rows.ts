import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { ROW_SEED } from "../folder.ts";
import { untilEmbedded } from "../load/checks.ts";
import type { BenchServer } from "../server.ts";
import { startServer } from "../server.ts";
import { createAuthor } from "../text.ts";

// Usage: bun scripts/bench/compare/embed-rows.ts OLD NEW [--rows 1600] [--part 400]
//
// How many rows of conversations two executables embed a second: the same rows, part by part in turns, so that whatever the
// machine does meanwhile happens to both. A part is over once each of its rows is found by meaning; nobody has work left when
// the next begins. Prints a line of JSON.

const BULK_ROWS = 100;
const POLL_MS = 200;

const { values, positionals } = parseArgs({
  options: { rows: { type: "string", default: "1600" }, part: { type: "string", default: "400" } },
  allowPositionals: true,
});
const [before = "", after = ""] = positionals.map((path) => resolve(path));
if (!before || !after) throw new Error("Name two executables: the earlier one, then the later one.");

const work = mkdtempSync(join(tmpdir(), "cairn-embed-rows-"));
const folders = ["old", "new"].map((name) => join(work, name));
/** Rows that the author makes until so many are turns of conversations. */
const turns = createAuthor(ROW_SEED)
  .rows(Number(values.rows) * 2)
  .filter(({ run_id }) => run_id !== null)
  .slice(0, Number(values.rows));

const Status = z.object({ jobs: z.object({ due: z.number(), running: z.number(), embedding_pending: z.number() }) });

/** Resolves once a server has no work left, whichever version it is of. */
async function untilIdle(server: BenchServer): Promise<void> {
  for (;;) {
    const { jobs } = Status.parse((await server.call("GET", "/status")).body);
    if (jobs.due + jobs.running + jobs.embedding_pending === 0) return;
    await Bun.sleep(POLL_MS);
  }
}

/** Milliseconds from the first call until the last row has its vectors. */
async function timePart(server: BenchServer, folder: string, from: number): Promise<number> {
  const startedAt = performance.now();
  for (let at = from; at < from + Number(values.part); at += BULK_ROWS) {
    const items = turns.slice(at, Math.min(at + BULK_ROWS, from + Number(values.part)));
    await server.call("POST", "/memories/bulk", { tenant_id: "default", items });
  }
  await untilEmbedded(folder);
  const took = performance.now() - startedAt;
  await untilIdle(server);
  return took;
}

const servers: BenchServer[] = [];
const times: [number[], number[]] = [[], []];
try {
  for (const [side, folder] of folders.entries())
    servers.push(await startServer({ name: "binary", command: [side === 0 ? before : after] }, folder));
  for (const server of servers) await server.modelReady();
  for (let from = 0, part = 0; from < turns.length; from += Number(values.part), part++)
    for (const side of part % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const [server, folder] = [servers[side], folders[side]];
      if (server && folder) times[side].push(await timePart(server, folder, from));
    }
  const perSecond = times.map((ms) => (turns.length / ms.reduce((sum, one) => sum + one, 0)) * 1_000);
  const [old_rows_per_s = 0, new_rows_per_s = 0] = perSecond;
  const rss_mb = servers.map((server) => Math.round(server.rssMb()));
  console.log(
    JSON.stringify({
      rows: turns.length,
      old_rows_per_s,
      new_rows_per_s,
      ratio: new_rows_per_s / old_rows_per_s,
      rss_mb,
      parts_ms: times,
    }),
  );
} finally {
  for (const server of servers) await server.stop();
  rmSync(work, { recursive: true });
}
