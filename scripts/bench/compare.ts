import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compareFilters, GATEWAY_SECRET } from "./compare/filters.ts";
import { compareHooks } from "./compare/hooks.ts";
import { compareMixed } from "./compare/mixed.ts";
import { compareSearches } from "./compare/searches.ts";
import type { Figure, Pair, Scene, Side } from "./compare/sides.ts";
import { forBoth } from "./compare/sides.ts";
import { compareStarts } from "./compare/starts.ts";
import { compareBacklogs, compareWrites } from "./compare/writes.ts";
import { fill } from "./fill.ts";
import type { BenchServer } from "./server.ts";
import { startServer } from "./server.ts";
import { toTable } from "./tables.ts";

// Usage: bun scripts/bench/compare.ts OLD NEW [--rows 10000,100000 | --folders DIR,OLD:NEW] [--parts start,search,...]
//          [--embedder onnx|hash] [--seconds 2] [--load-seconds 60] [--json FILE]
//
// Two executables side by side: each on a copy of the same folder, asked the same in turns, so that whatever the machine does
// meanwhile happens to both. The ratio of the two figures is what counts. Parts: start (of a filled and an empty folder), hooks
// (and other commands, with the start of their processes), search (1, 8 and 64 clients; known and new questions), filters (with
// the truly nearest rows, by the vectors in the file), write (one by one and by the hundred), backlog (embedding and
// understanding), load (all kinds of calls by 64 clients).
//
// A folder is filled with the shape of this checkout unless one is named. An executable refuses what is newer than itself: let
// the checkout of the older one fill it, with scripts/bench/fill.ts, which also says what its vectors are like. Where the later
// one would embed all rows anew, name a folder for each, of the same rows: OLD:NEW.

const PARTS = ["start", "hooks", "search", "filters", "write", "backlog", "load"] as const;
type Part = (typeof PARTS)[number];
const { values, positionals } = parseArgs({
  options: {
    rows: { type: "string", default: "10000" },
    folders: { type: "string" },
    parts: { type: "string", default: PARTS.join() },
    embedder: { type: "string", default: "onnx" },
    seconds: { type: "string", default: "2" },
    "load-seconds": { type: "string", default: "60" },
    json: { type: "string" },
  },
  allowPositionals: true,
});
const [older = "", newer = ""] = positionals.map((path) => resolve(path));
if (!existsSync(older) || !existsSync(newer))
  throw new Error("Name two executables: the earlier one, then the later one.");
const unknown = values.parts.split(",").filter((name) => !PARTS.some((part) => part === name));
if (unknown.length > 0) throw new Error(`There is no part '${unknown.join()}'. There are ${PARTS.join(", ")}.`);

const executables: Pair<string> = [older, newer];
const work = mkdtempSync(join(tmpdir(), "cairn-compare-"));
const running = new Set<BenchServer>();
const FLAGS = ["--memories-limit=1000000000", `--embedder=${values.embedder}`, `--gateway-secret=${GATEWAY_SECRET}`];

async function start(side: Side, folder: string): Promise<BenchServer> {
  const target = { name: "binary", command: [executables[side]] } as const;
  const server = await startServer(target, folder, FLAGS);
  running.add(server);
  const stop = async () => {
    running.delete(server);
    await server.stop();
  };
  return { ...server, stop };
}

/** SQLite takes its log away when the last connection is closed, which may be while the folder is copied: then once more. */
const COPY_TRIES = 3;

/** A folder like another; files share their blocks where the file system can. */
async function copyOf(folder: string, name: string, tries = COPY_TRIES): Promise<string> {
  const copy = join(work, name);
  const { exitCode, stderr } = Bun.spawnSync(["cp", "-a", "--reflink=auto", folder, copy]);
  if (exitCode !== 0) {
    rmSync(copy, { recursive: true, force: true });
    if (tries > 1) return copyOf(folder, name, tries - 1);
    throw new Error(`${folder} could not be copied to ${copy}: ${stderr}`);
  }
  return copy;
}

type Line = Figure & { readonly ratio: number | null };
const results: { folder: string; figures: Line[] }[] = [];

async function compareOn(source: string): Promise<void> {
  const [oldSource = source, newSource = oldSource] = source.split(":");
  const folders = await forBoth((side) => (side === 0 ? copyOf(oldSource, "old") : copyOf(newSource, "new")));
  const lines: Line[] = [];
  results.push({ folder: source, figures: lines });
  const measure = async (part: Part, run: () => Promise<Figure[]>): Promise<void> => {
    if (!values.parts.split(",").includes(part)) return;
    const measured = (await run()).map((figure) => ({ ...figure, ratio: ratioOf(figure) }));
    lines.push(...measured);
    const cells = measured.map((line) => [line.what, shown(line.old), shown(line.new), shown(line.ratio)]);
    console.log(`${toTable([`${source}: ${part}`, "old", "new", "ratio"], cells)}\n`);
  };
  await measure("start", () => compareStarts(start, folders));
  const servers = await forBoth((side) => start(side, folders[side]));
  await forBoth((side) => servers[side].modelReady());
  const scene: Scene = {
    servers,
    folders,
    source: newSource,
    embedder: values.embedder,
    seconds: Number(values.seconds),
  };
  await measure("hooks", () => compareHooks(executables, folders));
  await measure("search", () => compareSearches(scene));
  await measure("filters", () => compareFilters(scene));
  await measure("write", () => compareWrites(scene));
  await measure("backlog", () => compareBacklogs(scene));
  await measure("load", () => compareMixed(scene, Number(values["load-seconds"])));
  await forBoth((side) => servers[side].stop());
  for (const folder of folders) rmSync(folder, { recursive: true });
}

async function filled(rows: number): Promise<string> {
  const folder = join(work, `rows-${rows}`);
  await fill(folder, { rows, embedder: values.embedder });
  return folder;
}

const ratioOf = ({ old, new: latest }: Figure): number | null =>
  old === null || latest === null || old === 0 ? null : latest / old;
const shown = (value: number | null): string => (value === null ? "-" : value.toFixed(value < 10 ? 2 : 1));

const started = loadavg()[0]?.toFixed(1);
try {
  const named = values.folders?.split(",").map((folder) => async () => folder);
  for (const source of named ?? values.rows.split(",").map((rows) => () => filled(Number(rows))))
    await compareOn(await source());
} finally {
  for (const server of running) await server.stop();
  rmSync(work, { recursive: true });
}
const machine = { processors: availableParallelism(), load_before: started, load_after: loadavg()[0]?.toFixed(1) };
const { embedder } = values;
const report = { old: older, new: newer, embedder, machine, results };
console.log(JSON.stringify(report));
if (values.json) await Bun.write(values.json, `${JSON.stringify(report, null, 1)}\n`);
