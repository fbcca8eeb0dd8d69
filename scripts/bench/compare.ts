import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { share } from "./figures.ts";
import { ROW_SEED } from "./folder.ts";
import { untilQuiet } from "./load/checks.ts";
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
const [QUESTION_SEED, WRITE_SEED] = [23, 11];

const { values, positionals } = parseArgs({
  options: { rows: { type: "string", default: "10000" }, embedder: { type: "string", default: "hash" } },
  allowPositionals: true,
});
const [before = "", after = ""] = positionals.map((path) => resolve(path));
if (!before || !after) throw new Error("Name two executables: the earlier one, then the later one.");

const work = mkdtempSync(join(tmpdir(), "cairn-compare-"));
const flags = ["--embedder", values.embedder];
type Servers = readonly [BenchServer, BenchServer];
/** Milliseconds that the same calls took the one and the other. */
type Times = [number[], number[]];

/** Resolves when neither has work left. Throws when one of them does not get on with it. */
async function quiet(): Promise<void> {
  const waited = await Promise.all(["old", "new"].map((name) => untilQuiet(join(work, name))));
  if (!waited.every(Number.isFinite)) throw new Error("A server came to a standstill with work left.");
}

const bulk = (server: BenchServer, items: readonly MadeUpRow[]) =>
  server.call("POST", "/memories/bulk", { tenant_id: "default", items });
const search = (server: BenchServer, question: string) => server.search(question);
const write = (server: BenchServer, row: MadeUpRow) =>
  server.call("POST", "/memories", { tenant_id: "default", ...row });

const batchesOf = (all: readonly MadeUpRow[]): MadeUpRow[][] =>
  Array.from({ length: Math.ceil(all.length / BULK_ROWS) }, (_, i) => all.slice(i * BULK_ROWS, (i + 1) * BULK_ROWS));

/** The same calls to both, one at a time, first the one and then the other first; times as the client sees them. */
async function inTurns<T>(
  servers: Servers,
  calls: readonly T[],
  call: (server: BenchServer, of: T) => Promise<{ outside_ms: number }>,
): Promise<Times> {
  const times: Times = [[], []];
  for (const [i, of] of calls.entries()) {
    for (const side of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      times[side].push((await call(servers[side], of)).outside_ms);
  }
  return times;
}

async function compare(servers: Servers): Promise<Record<string, Times>> {
  const rows = createAuthor(ROW_SEED).rows(Number(values.rows));
  for (const batch of batchesOf(rows)) await Promise.all(servers.map((server) => bulk(server, batch)));
  await quiet();
  const questions = createAuthor(QUESTION_SEED).questions(WARM_UP + SEARCHES);
  await inTurns(servers, questions.splice(0, WARM_UP), search);
  const written = createAuthor(WRITE_SEED).rows(WRITES + BULKS * BULK_ROWS);
  const fresh = await inTurns(servers, questions, search);
  const known = await inTurns(servers, questions, search);
  const one = await inTurns(servers, written.splice(0, WRITES), write);
  await quiet();
  const hundred = await inTurns(servers, batchesOf(written), bulk);
  return { "search, new question": fresh, "search, known question": known, "write one": one, "write 100": hundred };
}

const opened: BenchServer[] = [];
const open = async (command: string, name: string): Promise<BenchServer> => {
  const server = await startServer({ name: "binary", command: [command] }, join(work, name), flags);
  opened.push(server);
  return server;
};

async function measured(): Promise<Record<string, Times>> {
  try {
    return await compare([await open(before, "old"), await open(after, "new")]);
  } finally {
    for (const server of opened) await server.stop();
    rmSync(work, { recursive: true });
  }
}

const medianOf = (ms: readonly number[]): number =>
  share(
    ms.toSorted((a, b) => a - b),
    0.5,
  );
const figures = Object.entries(await measured()).map(([what, both]) => {
  const [old_p50_ms, new_p50_ms] = [medianOf(both[0]), medianOf(both[1])];
  return { what, old_p50_ms, new_p50_ms, ratio: new_p50_ms / old_p50_ms };
});
console.log(JSON.stringify({ old: before, new: after, rows: Number(values.rows), embedder: values.embedder, figures }));
console.log(
  toTable(
    ["p50 in ms", "old", "new", "ratio"],
    figures.map(({ what, old_p50_ms, new_p50_ms, ratio }) => [
      what,
      ...[old_p50_ms, new_p50_ms, ratio].map((figure) => figure.toFixed(2)),
    ]),
  ),
);
