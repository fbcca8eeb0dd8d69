import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { ROW_SEED } from "./folder.ts";
import type { BenchServer } from "./server.ts";
import { startServer } from "./server.ts";
import { toTable } from "./tables.ts";
import { createAuthor } from "./text.ts";

// Usage: bun scripts/bench/understanding.ts [EXECUTABLE ...] [--rows 2000] [--part 500] [--data SET.json] [--statements]
//
// How long an import takes until its rows are embedded, and until they are understood: linked to what they name and checked
// for contradictions. Each executable has a server and a folder of its own, which keeps what was imported before; they take
// turns part by part, so that whatever the machine does meanwhile happens to all. Without --data the rows are made up: turns
// of conversations and facts between them. A set is JSON with `memories`, each with a `text` and maybe a `run`;
// --statements leaves the runs out, so that no row counts as a turn of a conversation. Each of `--single` rows is then
// written alone, and waited for.

const BULK_ROWS = 100;
const POLL_MS = 5;
/** Parts before the first that is counted: the models are loaded with them. */
const WARM_UP_ROWS = 50;

const { values: options, positionals } = parseArgs({
  options: {
    rows: { type: "string", default: "2000" },
    part: { type: "string", default: "500" },
    single: { type: "string", default: "30" },
    data: { type: "string" },
    statements: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

interface Row {
  readonly content: string;
  readonly run_id: string | null;
}

const DataSet = z.object({ memories: z.array(z.object({ text: z.string(), run: z.string().nullish() })) });
const Left = z.object({ jobs: z.object({ pending: z.int(), embedding_pending: z.int() }) });

function readRows(path: string): Row[] {
  const { memories } = DataSet.parse(JSON.parse(readFileSync(path, "utf8")));
  return memories.map(({ text, run }) => ({ content: text, run_id: run ?? null }));
}

function rowsToWrite(count: number): Row[] {
  const rows = options.data === undefined ? createAuthor(ROW_SEED).rows(count) : readRows(options.data).slice(0, count);
  return options.statements ? rows.map(({ content }) => ({ content, run_id: null })) : rows;
}

/** Milliseconds from the first call until the last row has its vector, and until nothing is left to do. */
interface Times {
  readonly embedded_ms: number;
  readonly understood_ms: number;
}

async function importRows(server: BenchServer, rows: readonly Row[]): Promise<Times> {
  const startedAt = performance.now();
  for (let i = 0; i < rows.length; i += BULK_ROWS)
    await server.call("POST", "/memories/bulk", { tenant_id: "default", items: rows.slice(i, i + BULK_ROWS) });
  return untilUnderstood(server, startedAt);
}

async function writeRow(server: BenchServer, row: Row): Promise<Times> {
  const startedAt = performance.now();
  await server.call("POST", "/memories", { tenant_id: "default", write_mode: "strong", ...row });
  return untilUnderstood(server, startedAt);
}

async function untilUnderstood(server: BenchServer, startedAt: number): Promise<Times> {
  for (let embedded_ms = 0; ; await Bun.sleep(POLL_MS)) {
    const { jobs } = Left.parse((await server.call("GET", "/status")).body);
    const now = performance.now() - startedAt;
    if (embedded_ms === 0 && jobs.embedding_pending === 0) embedded_ms = now;
    if (jobs.pending === 0) return { embedded_ms: embedded_ms || now, understood_ms: now };
  }
}

const sum = (parts: readonly Times[]): Times => ({
  embedded_ms: parts.reduce((all, { embedded_ms }) => all + embedded_ms, 0),
  understood_ms: parts.reduce((all, { understood_ms }) => all + understood_ms, 0),
});

interface Contender {
  readonly executable: string;
  readonly folder: string;
  readonly server: BenchServer;
  readonly bulk: Times[];
  readonly single: Times[];
}

const work = mkdtempSync(join(tmpdir(), "cairn-understanding-"));
const contenders: Contender[] = [];
try {
  for (const [i, path] of (positionals.length > 0 ? positionals : ["dist/cairn"]).entries()) {
    const [executable, folder] = [resolve(path), join(work, String(i))];
    const server = await startServer({ name: "binary", command: [executable] }, folder);
    contenders.push({ executable, folder, server, bulk: [], single: [] });
    await server.modelReady();
  }
  const [rows, part, single] = [Number(options.rows), Number(options.part), Number(options.single)];
  const all = rowsToWrite(WARM_UP_ROWS + rows + single);
  const warmUp = all.splice(0, WARM_UP_ROWS);
  const alone = all.splice(-single, single);
  for (const { server } of contenders) await importRows(server, warmUp);
  for (let i = 0; i < all.length; i += part) {
    for (const { server, bulk } of inTurn(i / part)) bulk.push(await importRows(server, all.slice(i, i + part)));
  }
  for (const [i, row] of alone.entries()) {
    for (const { server, single } of inTurn(i)) single.push(await writeRow(server, row));
  }
  const table = contenders.flatMap(({ executable, bulk, single }) =>
    Object.entries({ [`${all.length} rows`]: bulk, [`${single.length} alone`]: single }).map(([what, parts]) => {
      const { embedded_ms, understood_ms } = sum(parts);
      return { executable, what, embedded_ms, understood_ms, ratio: understood_ms / embedded_ms };
    }),
  );
  console.log(JSON.stringify({ ...options, figures: table }));
  console.log(
    toTable(
      ["executable", "what", "embedded s", "understood s", "ratio"],
      table.map(({ executable, what, embedded_ms, understood_ms, ratio }) => [
        executable,
        what,
        ...[embedded_ms / 1_000, understood_ms / 1_000, ratio].map((figure) => figure.toFixed(2)),
      ]),
    ),
  );
} finally {
  for (const { server } of contenders) await server.stop();
  rmSync(work, { recursive: true });
}

/** First the one and then the other begins. */
function inTurn(turn: number): readonly Contender[] {
  return turn % 2 === 0 ? contenders : contenders.toReversed();
}
