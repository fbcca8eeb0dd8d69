import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { share } from "../figures.ts";
import type { Unanswered } from "../load/checks.ts";
import { checkReplies } from "../load/checks.ts";
import { createClient } from "../load/client.ts";
import type { Ledger } from "../load/ledger.ts";
import { createLedger, hold } from "../load/ledger.ts";
import type { LoadServer } from "../load/server.ts";
import { startLoadServer } from "../load/server.ts";
import type { Call, Timings, Wire } from "../load/wire.ts";
import { createWire } from "../load/wire.ts";
import { writeShared } from "../load.ts";
import { targets } from "../server.ts";
import { toTable } from "../tables.ts";
import { createAuthor, createDice } from "../text.ts";
import { promises } from "./promises.ts";

// Usage: bun scripts/bench/postgres/two-processes.ts postgres://... [--seconds 60] [--clients 64] [--embedder onnx|hash]
//   [--target source|binary]
// Two servers over one empty database, under load; halfway one of them is killed, and its clients go to the other. Then
// everything acknowledged must be there, every index whole, and no job may have had its effect twice.

const POLL_MS = 500;
/** Work of a killed process is taken up once its lease has passed, some five minutes. */
const QUIET_LIMIT_MS = 12 * 60_000;
const Status = z.object({ jobs: z.object({ due: z.number(), running: z.number(), scheduled: z.number() }) });

interface Options {
  readonly address: string;
  readonly seconds: number;
  readonly clients: number;
  readonly embedder: string;
  readonly target: string;
}

async function bench(options: Options) {
  const target = targets().find(({ name }) => name === options.target);
  if (!target) throw new Error(`There is no target '${options.target}' here. Build the executable, or take source.`);
  const root = mkdtempSync(join(tmpdir(), "cairn-two-"));
  const start = (name: string) =>
    startLoadServer(target.command, join(root, name), {
      embedder: options.embedder,
      flags: ["--database-url", options.address],
    });
  const servers = await Promise.all([start("one"), start("two")]);
  try {
    return await load(servers, options);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(root, { recursive: true, force: true });
  }
}

async function load([first, second]: readonly LoadServer[], options: Options) {
  if (!first || !second) throw new Error("Two servers are needed.");
  const [ledger, timings]: [Ledger, Timings] = [createLedger(), new Map()];
  const lost = { ids: new Set<string>(), rows: 0, calls: 0 };
  let isKilled = false;
  const shared = await writeShared(createWire(first.url, ledger, timings), ledger);
  const until = performance.now() + options.seconds * 1_000;
  const kill = setTimeout(
    () => {
      isKilled = true;
      void second.kill();
    },
    (options.seconds * 1_000) / 2,
  );
  const run = async (number: number, server: LoadServer): Promise<void> => {
    let isLost = false;
    const ownWire = createWire(server.url, ledger, timings);
    const wire: Wire = async (name, method, path, call) => {
      const mayEnd = server === second ? [0] : [];
      const answer = await ownWire(name, method, path, { ...call, expected: [...call.expected, ...mayEnd] });
      if (answer.status === 0 && server === second) {
        hold(ledger, isKilled, () => `${name}: ${method} ${path} had no answer before the server was killed`);
        isLost = true;
        lost.calls++;
        noteLost(lost, ledger, { path, call });
      }
      return answer;
    };
    const [author, dice] = [createAuthor(number), createDice(number)];
    const client = createClient({ wire, ledger, shared, author, dice, number });
    while (performance.now() < until && !isLost) await client.act();
    if (isLost) await run(number + options.clients, first);
  };
  await Promise.all(Array.from({ length: options.clients }, (_, i) => run(i, i % 2 === 0 ? first : second)));
  clearTimeout(kill);
  const drain_ms = await untilQuiet(first);
  hold(ledger, drain_ms < QUIET_LIMIT_MS, () => "jobs were left long after the last call");
  await checkReplies(createWire(first.url, ledger, new Map()), ledger, lost);
  for (const broken of await promises(options.address)) hold(ledger, false, () => broken);
  return {
    ...options,
    address: "",
    lost_calls: lost.calls,
    drain_ms,
    rows: ledger.own.size,
    operations: figures(timings),
    violations: ledger.violations,
  };
}

/** What a call without an answer may have changed: the rows that it names, by id or by their lot, and those that it would write. */
function noteLost(
  lost: { ids: Set<string>; rows: number } & Unanswered,
  ledger: Ledger,
  { path, call }: { readonly path: string; readonly call: Call },
): void {
  const [, , id] = path.split("/");
  if (id) lost.ids.add(id);
  const { ids = [], items = [], metadata_filter } = Lost.parse(call.body ?? {});
  for (const one of ids) lost.ids.add(one);
  for (const row of ledger.own.values())
    if (metadata_filter && row.metadata.get("lot") === metadata_filter.lot) lost.ids.add(row.id);
  lost.rows += Math.max(1, items.length);
}
const Lost = z.object({
  ids: z.array(z.string()).optional(),
  items: z.array(z.unknown()).optional(),
  metadata_filter: z.object({ lot: z.string() }).optional(),
});

async function untilQuiet(server: LoadServer): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { jobs } = Status.parse(await (await fetch(`${server.url}/api/v1/status`)).json());
    const waited = performance.now() - startedAt;
    if (jobs.due + jobs.running + jobs.scheduled === 0 || waited > QUIET_LIMIT_MS) return Math.round(waited);
    await Bun.sleep(POLL_MS);
  }
}

const figures = (timings: Timings) =>
  [...timings]
    .map(([name, times]) => {
      const sorted = times.toSorted((a, b) => a - b);
      const percentile = (part: number): number => Number(share(sorted, part).toFixed(1));
      return { name, calls: times.length, p50_ms: percentile(0.5), p95_ms: percentile(0.95), max_ms: percentile(1) };
    })
    .sort((a, b) => a.name.localeCompare(b.name));

function readOptions(): Options {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    options: { seconds: text("60"), clients: text("64"), embedder: text("onnx"), target: text("source") },
    allowPositionals: true,
  });
  const [address] = positionals;
  if (address === undefined) throw new Error("Name an empty database: postgres://...");
  return { ...values, address, seconds: Number(values.seconds), clients: Number(values.clients) };
}

const result = await bench(readOptions());
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
