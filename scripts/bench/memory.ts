import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { untilQuiet } from "./load/checks.ts";
import type { BenchServer } from "./server.ts";
import { startServer } from "./server.ts";
import { toTable } from "./tables.ts";
import { createAuthor } from "./text.ts";

// Usage: bun scripts/bench/memory.ts [EXECUTABLE ...] [--rows 2000] [--searches 300]
//
// What a server holds of memory: once its model is loaded, in the quiet after that, after many writes and searches, and in
// the quiet after these. `own` is memory that is no file's; the rest is read-only and the system takes it back when it
// needs it. Without a name it is dist/cairn that is measured. Linux only.

const BULK_ROWS = 100;
const QUIET_MS = 30_000;
const SEED = 7;
const KIB_PER_MB = 1_000_000 / 1_024;

const { values, positionals } = parseArgs({
  options: { rows: { type: "string", default: "2000" }, searches: { type: "string", default: "300" } },
  allowPositionals: true,
});

/** In megabytes. */
interface Held {
  readonly when: string;
  readonly resident: number;
  readonly own: number;
}

function held(when: string, { pid }: BenchServer): Held {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const megabytes = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(rollup)?.[1]) / KIB_PER_MB);
  return { when, resident: megabytes("Rss"), own: megabytes("Anonymous") };
}

async function load(server: BenchServer, folder: string): Promise<void> {
  const author = createAuthor(SEED);
  const rows = author.rows(Number(values.rows));
  while (rows.length > 0)
    await server.call("POST", "/memories/bulk", { tenant_id: "default", items: rows.splice(0, BULK_ROWS) });
  if (!Number.isFinite(await untilQuiet(folder))) throw new Error("The server came to a standstill with work left.");
  for (const question of author.questions(Number(values.searches))) await server.search(question);
}

async function lifeOf(executable: string): Promise<Held[]> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-memory-"));
  const server = await startServer({ name: "binary", command: [executable] }, folder);
  try {
    await server.modelReady();
    const ready = held("model ready", server);
    await Bun.sleep(QUIET_MS);
    const idle = held("idle", server);
    await load(server, folder);
    const loaded = held("after load", server);
    await Bun.sleep(QUIET_MS);
    return [ready, idle, loaded, held("after quiet", server)];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

const named = positionals.length > 0 ? positionals : ["dist/cairn"];
for (const executable of named.map((path) => resolve(path))) {
  const figures = await lifeOf(executable);
  console.log(JSON.stringify({ executable, rows: Number(values.rows), searches: Number(values.searches), figures }));
  console.log(
    toTable(
      ["MB", "resident", "own"],
      figures.map(({ when, resident, own }) => [when, resident, own]),
    ),
  );
}
