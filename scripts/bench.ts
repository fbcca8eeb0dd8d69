import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Measurement, Section } from "./bench/figures.ts";
import { fillFolder, mixtureEmbedder, ROW_SEED } from "./bench/folder.ts";
import { benchLoop } from "./bench/loop.ts";
import { benchModel } from "./bench/model.ts";
import { benchSearch } from "./bench/search.ts";
import type { Target } from "./bench/server.ts";
import { targets } from "./bench/server.ts";
import { benchSplit } from "./bench/split.ts";
import { benchStart } from "./bench/start.ts";
import { comparison, figureTable } from "./bench/tables.ts";
import { createAuthor } from "./bench/text.ts";
import { benchWrite } from "./bench/write.ts";

// Usage: bun scripts/bench.ts [--sizes 1000,10000] [--only start,model,search,split,loop,write] [--targets source,binary]
//                             [--json out.json] [--compare earlier.json]
//
// Prints one JSON line per figure, then a table. Rows are made up; their vectors are mixtures of a thousand vectors of
// the real model, so that 100,000 rows can be stored in minutes. Whatever is embedded while the clock runs (queries,
// writes, bulk rows) is embedded by the real model.

const SECTIONS = ["start", "model", "search", "split", "loop", "write"] as const;
type SectionName = (typeof SECTIONS)[number];

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000" },
    only: { type: "string", default: SECTIONS.join() },
    targets: { type: "string", default: "source,binary" },
    json: { type: "string" },
    compare: { type: "string" },
  },
});
const SPLIT_SEARCHES = 300;
const QUESTION_SEED = 41;
const sizes = values.sizes.split(",").map(Number);
const wanted = values.only.split(",");
const chosen = targets().filter(({ name }) => values.targets.split(",").includes(name));
const figures: Measurement[] = [];
/** Figures of a busy machine say little about Cairn: compare those of like load. */
const busyness = (): string => loadavg()[0]?.toFixed(1) ?? "";
const loadBefore = busyness();
const work = mkdtempSync(join(tmpdir(), "cairn-bench-"));
const folderOf = (rows: number): string => join(work, `rows-${rows}`);
/** Same rows, other folder: for what writes. */
function copyOf(folder: string): string {
  const copy = mkdtempSync(join(work, "copy-"));
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Runs a section if it was asked for, and prints its figures as they come. */
async function measure(
  name: SectionName,
  { target, rows }: Pick<Section, "target" | "rows">,
  run: (section: Section) => Promise<Measurement[]>,
): Promise<void> {
  if (!wanted.includes(name)) return;
  const of = target === "in-process" ? "" : ` --targets ${target}`;
  const command = `bun run bench --only ${name}${of}${rows > 0 ? ` --sizes ${rows}` : ""}`;
  for (const figure of await run({ target, rows, command })) {
    figures.push(figure);
    console.log(JSON.stringify(figure));
  }
}

async function measureSizes(): Promise<void> {
  const embedder = await mixtureEmbedder(createAuthor(ROW_SEED + 1));
  for (const rows of sizes) {
    await fillFolder(folderOf(rows), rows, embedder);
    await measureSize(rows);
  }
}

async function measureSize(rows: number): Promise<void> {
  const folder = folderOf(rows);
  const inside = { target: "in-process", rows } as const;
  const questions = createAuthor(QUESTION_SEED).questions(SPLIT_SEARCHES);
  await measure("split", inside, (section) => benchSplit(folder, questions, section));
  await measure("loop", inside, (section) => benchLoop(copyOf(folder), section));
  for (const target of chosen) await measureTarget(target, rows, folder);
}

async function measureTarget(target: Target, rows: number, folder: string): Promise<void> {
  const place = { target: target.name, rows };
  await measure("start", place, (section) => benchStart(target, copyOf(folder), section));
  await measure("search", place, (section) => benchSearch(target, folder, section));
  await measure("write", place, (section) => benchWrite(target, copyOf(folder), section));
}

try {
  await measure("model", { target: "in-process", rows: 0 }, benchModel);
  for (const target of chosen)
    await measure("start", { target: target.name, rows: 0 }, (section) => benchStart(target, null, section));
  if (wanted.some((name) => name !== "model")) await measureSizes();
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`\n${figureTable(figures)}`);
const machine = { processors: availableParallelism(), load_before: loadBefore, load_after: busyness() };
console.log(`\n${machine.processors} processors, load ${machine.load_before} before and ${machine.load_after} after`);
if (values.compare) console.log(`\n${await comparison(values.compare, figures)}`);
if (values.json) await Bun.write(values.json, `${JSON.stringify({ machine, figures }, null, 1)}\n`);
