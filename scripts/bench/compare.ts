import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { share } from "./figures.ts";
import { ROW_SEED } from "./folder.ts";
import type { BenchServer } from "./server.ts";
import { startServer } from "./server.ts";
import { toTable } from "./tables.ts";
import type { MadeUpRow } from "./text.ts";
import { createAuthor } from "./text.ts";

// Usage: bun scripts/bench/compare.ts OLD NEW [--rows 10000] [--embedder hash|onnx]
//
// Two executables side by side: each with a folder of its own and the same rows, asked the same in turns, so that whatever
// the machine does meanwhile happens to both. The ratio of their medians is what counts; below one, the second is faster.
// With --embedder hash, which is the default, all the time is Cairn's own and none the model's.

const BULK_ROWS = 100;
const WARM_UP = 100;
const SEARCHES = 400;
const WRITES = 200;
const BULKS = 20;
const QUIET_POLL_MS = 250;
const [QUESTION_SEED, WRITE_SEED] = [23, 11];

const { values, positionals } = parseArgs({
  options: { rows: { type: "string", default: "10000" }, embedder: { type: "string", default: "hash" } },
  allowPositionals: true,
});
const [old, next] = positionals.map((path) => resolve(path));
if (!old || !next) throw new Error("Name two executables: the earlier one, then the later one.");

const work = mkdtempSync(join(tmpdir(), "cairn-compare-"));
const flags = ["--embedder", values.embedder];
const open = (command: string, name: string) =>
  startServer({ name: "binary", command: [command] }, join(work, name), flags);
const servers = [await open(old, "old"), await open(next, "new")] as const;

const bulk = (server: BenchServer, items: readonly MadeUpRow[]) =>
  server.call("POST", "/memories/bulk", { tenant_id: "default", items });

/** Resolves when no job is due, twice in a row. */
async function quiet(server: BenchServer): Promise<void> {
  for (let idle = 0; idle < 2; await Bun.sleep(QUIET_POLL_MS)) {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    idle = /^cairn_jobs_due 0$/m.test(text) ? idle + 1 : 0;
  }
}

/** The same calls to both, one at a time, first the one and then the other first; milliseconds as the client sees them. */
async function inTurns<T>(calls: readonly T[], call: (server: BenchServer, of: T) => Promise<{ outside_ms: number }>) {
  const times: [number[], number[]] = [[], []];
  for (const [i, of] of calls.entries()) {
    for (const at of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      times[at].push((await call(servers[at], of)).outside_ms);
  }
  return times;
}

const rows = createAuthor(ROW_SEED).rows(Number(values.rows));
const batchesOf = (all: readonly MadeUpRow[]) =>
  Array.from({ length: Math.ceil(all.length / BULK_ROWS) }, (_, i) => all.slice(i * BULK_ROWS, (i + 1) * BULK_ROWS));
for (const batch of batchesOf(rows)) await Promise.all(servers.map((server) => bulk(server, batch)));
await Promise.all(servers.map(quiet));

const questions = createAuthor(QUESTION_SEED).questions(WARM_UP + SEARCHES);
const search = (server: BenchServer, question: string) => server.search(question);
await inTurns(questions.splice(0, WARM_UP), search);
const written = createAuthor(WRITE_SEED).rows(WRITES + BULKS * BULK_ROWS);
const times = {
  "search, new question": await inTurns(questions, search),
  "search, known question": await inTurns(questions, search),
  "write one": await inTurns(written.splice(0, WRITES), (server, row) =>
    server.call("POST", "/memories", { tenant_id: "default", ...row }),
  ),
  "write 100": await inTurns(batchesOf(written), bulk),
};
for (const server of servers) await server.stop();
rmSync(work, { recursive: true });

const figures = Object.entries(times).map(([what, both]) => {
  const [before, now] = both.map((ms) =>
    share(
      ms.toSorted((a, b) => a - b),
      0.5,
    ),
  );
  const ratio = (now ?? Number.NaN) / (before ?? Number.NaN);
  return { what, old_p50_ms: before ?? Number.NaN, new_p50_ms: now ?? Number.NaN, ratio };
});
console.log(JSON.stringify({ old, new: next, rows: Number(values.rows), embedder: values.embedder, figures }));
console.log(
  toTable(
    ["p50 in ms", "old", "new", "ratio"],
    figures.map(({ what, old_p50_ms, new_p50_ms, ratio }) => [
      what,
      ...[old_p50_ms, new_p50_ms, ratio].map((figure) => figure.toFixed(2)),
    ]),
  ),
);
