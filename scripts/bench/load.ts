import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { share } from "./figures.ts";
import { checkFile, checkReplies, untilQuiet } from "./load/checks.ts";
import { createClient, TENANT } from "./load/client.ts";
import type { Ledger, SharedRow } from "./load/ledger.ts";
import { createLedger, hold } from "./load/ledger.ts";
import { startLoadServer } from "./load/server.ts";
import type { Timings, Wire } from "./load/wire.ts";
import { createWire } from "./load/wire.ts";
import { targets } from "./server.ts";
import { toTable } from "./tables.ts";
import { createAuthor, createDice } from "./text.ts";

// Usage: bun scripts/bench/load.ts [--seconds 60] [--clients 64] [--embedder onnx|hash] [--target source|binary] [--seed 1]
// Many clients at once against a server of its own; then everything acknowledged must be there, and every index whole.

/** A server that has nothing to do stops within this time. */
const STOP_LIMIT_MS = 5_000;
const SHARED_ROWS = 16;
const CLIENTS_MAX = 10_000;
const RSS_EVERY_MS = 1_000;
/** Resident memory may grow by this much over the second half of the run: caches fill, a leak goes on. */
const RSS_GROWTH_MAX_MB = 150;

interface Options {
  readonly seconds: number;
  readonly clients: number;
  readonly embedder: string;
  readonly target: string;
  readonly seed: number;
}

/** Runs the load and the checks in a folder that is gone afterwards. */
async function benchLoad(options: Options) {
  const folder = mkdtempSync(join(tmpdir(), "cairn-load-"));
  try {
    return await loadFolder(folder, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function loadFolder(folder: string, options: Options) {
  const target = targets().find(({ name }) => name === options.target);
  if (!target) throw new Error(`There is no target '${options.target}' here. Build the executable, or take source.`);
  const [ledger, timings]: [Ledger, Timings] = [createLedger(), new Map()];
  const server = await startLoadServer(target.command, folder, { embedder: options.embedder });
  const rss_mb: number[] = [];
  try {
    const wire = createWire(server.url, ledger, timings);
    const shared = await writeShared(wire, ledger);
    const sampling = setInterval(() => rss_mb.push(server.rssMb()), RSS_EVERY_MS);
    const seconds = await runClients(wire, ledger, shared, options);
    clearInterval(sampling);
    const wal_mb = megabytes(join(folder, "cairn.db-wal"));
    const drain_ms = await untilQuiet(folder);
    hold(ledger, Number.isFinite(drain_ms), () => "jobs were left long after the last call");
    await checkReplies(createWire(server.url, ledger, new Map()), ledger);
    const stop_ms = await server.stop();
    hold(ledger, stop_ms < STOP_LIMIT_MS, () => `the server took ${stop_ms} ms to stop`);
    checkFile(folder, ledger);
    const second_half_mb = growth(rss_mb);
    hold(
      ledger,
      second_half_mb < RSS_GROWTH_MAX_MB,
      () => `resident memory grew by ${second_half_mb} MB in the second half`,
    );
    const sizes = { rows: ledger.own.size + ledger.shared.size, file_mb: megabytes(join(folder, "cairn.db")), wal_mb };
    return {
      ...options,
      ...figures(timings, seconds),
      ...sizes,
      drain_ms,
      rss: memory(rss_mb),
      violations: ledger.violations,
    };
  } finally {
    await server.stop();
  }
}

/** Writes the rows that all clients change. */
export async function writeShared(wire: Wire, ledger: Ledger): Promise<SharedRow[]> {
  for (let i = 0; i < SHARED_ROWS; i++) {
    const content = `Shared page ${i}: everybody writes in its margins.`;
    const body = { tenant_id: TENANT, content, agent_id: "load" };
    const { body: written } = await wire("setup", "POST", "/memories", { body, expected: [201] });
    const id = String(Object(written).id);
    ledger.shared.set(id, { id, contents: new Set([content]), metadata: new Map() });
  }
  return [...ledger.shared.values()];
}

/** So many clients at once, each with one call after another, until the time is over; resolves with the seconds it took. */
export async function runClients(
  wire: Wire,
  ledger: Ledger,
  shared: readonly SharedRow[],
  options: Pick<Options, "seconds" | "clients" | "seed">,
): Promise<number> {
  const startedAt = performance.now();
  const until = startedAt + options.seconds * 1_000;
  const work = Array.from({ length: options.clients }, async (_, i) => {
    // Every client of every run has a name of its own, and so have its attempts.
    const number = options.seed * CLIENTS_MAX + i;
    const client = createClient({
      wire,
      ledger,
      shared,
      author: createAuthor(number),
      dice: createDice(number),
      number,
    });
    while (performance.now() < until) await client.act();
  });
  await Promise.all(work);
  return (performance.now() - startedAt) / 1_000;
}

function figures(timings: Timings, seconds: number) {
  const calls = [...timings].filter(([name]) => name !== "setup");
  const total = calls.reduce((sum, [, times]) => sum + times.length, 0);
  const operations = calls.map(([name, times]) => {
    const sorted = times.toSorted((a, b) => a - b);
    const percentile = (part: number): number => Number(share(sorted, part).toFixed(1));
    return { name, calls: times.length, p50_ms: percentile(0.5), p95_ms: percentile(0.95), max_ms: percentile(1) };
  });
  operations.sort((a, b) => a.name.localeCompare(b.name));
  return { calls: total, calls_per_s: Math.round(total / seconds), operations };
}

/** How much the median of the last quarter lies above that of the second. */
function growth(samples: readonly number[]): number {
  const quarter = (index: number): number => {
    const part = samples.slice((samples.length * index) / 4, (samples.length * (index + 1)) / 4);
    return share(
      part.toSorted((a, b) => a - b),
      0.5,
    );
  };
  return samples.length < 8 ? 0 : Math.round(quarter(3) - quarter(1));
}

const memory = (samples: readonly number[]) => {
  const rounded = samples.map(Math.round);
  const peak_mb = Math.max(...rounded);
  return {
    start_mb: rounded[0],
    end_mb: rounded.at(-1),
    peak_mb,
    second_half_mb: growth(samples),
    samples_mb: rounded,
  };
};

const megabytes = (path: string): number =>
  Number(((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1e6).toFixed(1));

function readOptions(): Options {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const options = {
    seconds: text("60"),
    clients: text("64"),
    embedder: text("onnx"),
    target: text("source"),
    seed: text("1"),
  };
  const { values } = parseArgs({ args: process.argv.slice(2), options });
  return { ...values, seconds: Number(values.seconds), clients: Number(values.clients), seed: Number(values.seed) };
}

if (import.meta.main) {
  const result = await benchLoad(readOptions());
  console.log(JSON.stringify(result));
  const head = ["operation", "calls", "p50 ms", "p95 ms", "max ms"];
  console.log(
    toTable(
      head,
      result.operations.map(({ name, calls, p50_ms, p95_ms, max_ms }) => [name, calls, p50_ms, p95_ms, max_ms]),
    ),
  );
  console.log(result.violations.length === 0 ? "Every promise was kept." : result.violations.join("\n"));
  process.exit(result.violations.length === 0 ? 0 : 1);
}
