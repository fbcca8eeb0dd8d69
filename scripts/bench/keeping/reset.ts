import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Snapshot } from "../../../src/core/schema/keeping/snapshot.ts";
import type { BenchServer } from "../server.ts";
import { startServer } from "../server.ts";
import { toTable } from "../tables.ts";
import { createAuthor } from "../text.ts";

// Usage: bun scripts/bench/keeping/reset.ts [EXECUTABLE] [--sizes 100,1000] [--resets 100] [--starts 20] [--at-once 20]
//
// Servers in memory, as tests of others use them: how long it takes to put one back to its seeded state after something was
// written and asked, and to have a first search by keyword answered, counted from before the process is started; alone, and where
// many start at once. Without a name it is dist/cairn.

const { values, positionals } = parseArgs({
  options: {
    sizes: { type: "string", default: "100,1000" },
    resets: { type: "string", default: "100" },
    starts: { type: "string", default: "20" },
    "at-once": { type: "string", default: "20" },
  },
  allowPositionals: true,
});
const [executable = "dist/cairn"] = positionals;
const target = { name: "binary", command: [resolve(executable)] } as const;
const BULK = 100;

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN;
const spread = (times: readonly number[]) => ({
  p50_ms: at(times, 0.5),
  p95_ms: at(times, 0.95),
  max_ms: at(times, 1),
});

interface Figure extends ReturnType<typeof spread> {
  readonly what: string;
  readonly note: string;
}
const figures: Figure[] = [];
function tell(what: string, times: readonly number[], note = ""): void {
  const figure = { what, ...spread(times), note };
  figures.push(figure);
  console.log(JSON.stringify(figure));
}

/** Repeats itself while the seed is still being read. */
async function takeSnapshot(server: BenchServer): Promise<Snapshot> {
  for (;;) {
    const response = await fetch(`${server.url}/api/v1/admin/snapshot`, { method: "POST" });
    if (response.ok) return Snapshot.parse(await response.json());
    if (response.status !== 409) throw new Error(`${response.status} ${await response.text()}`);
  }
}

async function benchResets(rows: number): Promise<void> {
  const server = await startServer(target, null);
  try {
    const seeded = createAuthor(7).rows(rows);
    for (let i = 0; i < rows; i += BULK) {
      const items = seeded.slice(i, i + BULK);
      await server.call("POST", "/memories/bulk", { tenant_id: "default", items });
    }
    const { bytes } = await takeSnapshot(server);
    const before = server.rssMb();
    const [resets, searches]: [number[], number[]] = [[], []];
    for (let i = 0; i < Number(values.resets); i++) {
      await server.call("POST", "/memories", { tenant_id: "default", content: `Written by test ${i}.` });
      await server.search(`what did test ${i} write?`);
      resets.push((await server.call("POST", "/admin/snapshot/restore")).outside_ms);
      searches.push((await server.search("where is the harbor bridge")).outside_ms);
    }
    const held = `${(bytes / 1e6).toFixed(1)} MB; resident ${before.toFixed(0)} MB, after all ${server.rssMb().toFixed(0)} MB`;
    tell(`reset, ${rows} memories`, resets, held);
    tell(`first search after it, ${rows} memories`, searches);
  } finally {
    await server.stop();
  }
}

/** Milliseconds from before the process was started to the first reply by keyword. */
async function timeStart(): Promise<{ server: BenchServer; ms: number }> {
  const server = await startServer(target, null, ["--ready-when", "listening"]);
  await server.search("where is the harbor bridge");
  return { server, ms: server.elapsed_ms() };
}

async function benchStarts(): Promise<void> {
  await (await timeStart()).server.stop();
  const alone: number[] = [];
  for (let i = 0; i < Number(values.starts); i++) {
    const { server, ms } = await timeStart();
    alone.push(ms);
    await server.stop();
  }
  tell("start to first keyword reply, alone", alone);
  const count = Number(values["at-once"]);
  const together = await Promise.all(Array.from({ length: count }, timeStart));
  tell(
    `the same, ${count} at once`,
    together.map(({ ms }) => ms),
  );
  await Promise.all(together.map(({ server }) => server.stop()));
}

await benchStarts();
for (const rows of values.sizes.split(",").map(Number)) await benchResets(rows);
console.log(
  toTable(
    ["", "p50 ms", "p95 ms", "max ms", ""],
    figures.map(({ what, p50_ms, p95_ms, max_ms, note }) => [
      what,
      p50_ms.toFixed(1),
      p95_ms.toFixed(1),
      max_ms.toFixed(1),
      note,
    ]),
  ),
);
