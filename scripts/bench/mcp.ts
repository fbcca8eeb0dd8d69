import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { Door } from "./doors.ts";
import { httpWithFindings, mcpHttp, mcpStdio, plainHttp } from "./doors.ts";
import { share, timed } from "./figures.ts";
import type { BenchServer } from "./server.ts";
import { startServer, targets } from "./server.ts";
import { toTable } from "./tables.ts";
import { createAuthor } from "./text.ts";

// Usage: bun scripts/bench/mcp.ts [--turns 300] [--rows 500] [--target binary|source] [--doors http,findings,mcp,stdio]
//                                 [--json out.json]
//
// What an agent's turn (search, save, search) costs over MCP, against the same three calls over plain HTTP: all doors of one
// server, one turn each in every round, the first door another one each round, each turn once the server has nothing left to do.
// `findings` is plain HTTP that asks for what a save over MCP answers at once: what is alike, and what contradicts, for which it
// waits until the detector has looked. Exits 1 when the median over MCP by HTTP is more than 1.3 times that of HTTP with the
// same findings.

/** How much longer a turn may take over MCP. */
const RATIO_MAX = 1.3;
const WARM_UP = 30;
const SEED = 53;

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "300" },
    rows: { type: "string", default: "500" },
    target: { type: "string", default: targets().at(-1)?.name ?? "source" },
    doors: { type: "string", default: "http,findings,mcp,stdio" },
    json: { type: "string" },
  },
});

const STEPS = ["search", "save", "search again", "turn"] as const;
type Samples = Record<(typeof STEPS)[number], number[]>;

/** One turn of an agent, step by step. */
async function turn(door: Door, [before, content, after]: readonly [string, string, string], into: Samples) {
  const search = await timed(() => door.search(before));
  const save = await timed(() => door.save(content));
  const again = await timed(() => door.search(after));
  into.search.push(search);
  into.save.push(save);
  into["search again"].push(again);
  into.turn.push(search + save + again);
}

const Jobs = z.object({ jobs: z.object({ due: z.int(), running: z.int() }).nullable() });

/** What one door's turn left to be done must not slow down another's. */
async function untilIdle({ call }: BenchServer): Promise<void> {
  for (;;) {
    const { jobs } = Jobs.parse((await call("GET", "/status")).body);
    if (!jobs || jobs.due + jobs.running === 0) return;
    await Bun.sleep(POLL_MS);
  }
}

const POLL_MS = 15;

const noSamples = (): Samples => ({ search: [], save: [], "search again": [], turn: [] });

async function measure(server: BenchServer, doors: readonly Door[], turns: number): Promise<Map<string, Samples>> {
  const author = createAuthor(SEED);
  const all = (turns + WARM_UP) * doors.length;
  const [contents, questions] = [author.rows(all).map((row, i) => `${row.content} (${i})`), author.questions(2 * all)];
  const samples = new Map(doors.map(({ name }) => [name, noSamples()]));
  for (let round = 0; round < turns + WARM_UP; round++) {
    for (let place = 0; place < doors.length; place++) {
      const door = doors[(round + place) % doors.length];
      if (!door) continue;
      await untilIdle(server);
      const said = [questions.pop() ?? "", contents.pop() ?? "", questions.pop() ?? ""] as const;
      await turn(door, said, round < WARM_UP ? noSamples() : (samples.get(door.name) ?? noSamples()));
    }
  }
  return samples;
}

async function fill(server: BenchServer, rows: number): Promise<void> {
  const items = createAuthor(SEED + 1)
    .rows(rows)
    .map(({ content }) => ({ content }));
  for (let index = 0; index < rows; index += 100)
    await server.call("POST", "/memories/bulk?wait=searchable", { items: items.slice(index, index + 100) });
}

const median = (values: readonly number[]): number =>
  share(
    values.toSorted((a, b) => a - b),
    0.5,
  );
const p95 = (values: readonly number[]): number =>
  share(
    values.toSorted((a, b) => a - b),
    0.95,
  );
const rounded = (value: number): number => Number(value.toFixed(2));

const target = targets().find(({ name }) => name === values.target);
if (!target) throw new Error(`There is no ${values.target} here. Build it with: npm run build`);
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-mcp-"));
const server = await startServer(target, folder);
try {
  await server.modelReady();
  await fill(server, Number(values.rows));
  const opened = {
    http: () => plainHttp(server),
    findings: () => httpWithFindings(server),
    mcp: () => mcpHttp(server),
    stdio: () => mcpStdio(target.command, folder),
  };
  const wanted = values.doors.split(",");
  const doors = await Promise.all(
    Object.entries(opened).flatMap(([name, open]) => (wanted.includes(name) ? [open()] : [])),
  );
  const samples = await measure(server, doors, Number(values.turns));
  await Promise.all(doors.map((door) => door.close()));
  const base = samples.get("HTTP") ?? noSamples();
  const figures = [...samples].flatMap(([door, steps]) =>
    STEPS.map((step) => ({
      door,
      step,
      p50_ms: rounded(median(steps[step])),
      p95_ms: rounded(p95(steps[step])),
      ratio: rounded(median(steps[step]) / median(base[step])),
      samples: steps[step].length,
    })),
  );
  const machine = { processors: availableParallelism(), load: rounded(loadavg()[0] ?? 0) };
  for (const figure of figures) console.log(JSON.stringify(figure));
  console.log(
    `\n${toTable(
      ["door", "step", "p50 ms", "p95 ms", "of HTTP", "n"],
      figures.map((one) => Object.values(one)),
    )}`,
  );
  console.log(`\n${target.name}, ${values.rows} rows, ${machine.processors} processors, load ${machine.load}`);
  if (values.json)
    await Bun.write(values.json, `${JSON.stringify({ machine, target: target.name, figures }, null, 1)}\n`);
  const turnOf = (door: string) => median((samples.get(door) ?? noSamples()).turn);
  const ratio = turnOf("MCP over HTTP") / turnOf("HTTP with findings");
  console.log(`a turn over MCP by HTTP takes ${rounded(ratio)} times that of HTTP with the same findings`);
  if (!(ratio <= RATIO_MAX)) process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
