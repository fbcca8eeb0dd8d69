import { parseArgs } from "node:util";
import type { Language } from "../test/relevance/sets.ts";
import { LANGUAGES } from "../test/relevance/sets.ts";
import { toTable } from "./bench/tables.ts";
import { openTold } from "./languages/hundred.ts";
import { measurePairs } from "./languages/pairs.ts";
import { measureTold } from "./languages/told.ts";
import { measureWorlds } from "./languages/worlds.ts";

// Usage: bun scripts/languages.ts [--part told|pairs|worlds]... [--languages de,fr] [--url URL] [--json FILE]
//
// How well other languages than English are found.
//
// told: a hundred memories in each of six languages, half of the questions in the words of their memory, half in others.
// Memories are ranked by words alone, by the model alone, and as they are served; then the same texts as documents. Each
// language is searched by itself. pairs: the questions in other words, asked in one of the six, the memories in another, as
// served; then the means of each asked language. worlds: the worlds of scripts/reader/languages that no model is taught, over
// HTTP, each world an agent of its own; the first question of a memory as somebody would ask it, the second as somebody would
// search; served from source unless a URL is given, then with the key of CAIRN_KEY.
//
// --languages takes the languages that are asked in; memories of a pair are in any of the six.

const PARTS = ["told", "pairs", "worlds"] as const;
type Part = (typeof PARTS)[number];

const { values: options } = parseArgs({
  options: {
    part: { type: "string", multiple: true, default: [...PARTS] },
    languages: { type: "string" },
    url: { type: "string" },
    json: { type: "string" },
  },
});
const isPart = (name: string): name is Part => PARTS.some((part) => part === name);
const unknown = options.part.find((name) => !isPart(name));
if (unknown !== undefined) {
  console.error(`There is no part '${unknown}': one of ${PARTS.join(", ")}.`);
  process.exit(2);
}
const chosen = options.languages?.split(",") ?? null;
const isChosen = (language: string): boolean => chosen?.includes(language) ?? true;
const asked: readonly Language[] = LANGUAGES.filter(isChosen);
const has = (part: Part): boolean => options.part.includes(part);

const MEASURES = ["R@1", "R@5", "R@10", "MRR"] as const;
type Means = Readonly<Record<(typeof MEASURES)[number], number>>;
const figures = (means: Means): string[] => MEASURES.map((name) => means[name].toFixed(2));
const print = (title: string, head: readonly string[], rows: readonly (readonly string[])[]): void =>
  console.log(`${title}\n${toTable([...head, ...MEASURES], rows)}\n`);

const found: Record<string, unknown> = {};
if (has("told") || has("pairs")) {
  const hundred = await openTold();
  found.embedder = hundred.ctx.embedder.id;
  if (has("told")) {
    const lines = await measureTold(hundred, asked);
    found.told = lines;
    const cells = lines.map(({ language, asked, way, ...means }) => [language, asked, way, ...figures(means)]);
    print("Each language by itself", ["language", "asked", "by"], cells);
  }
  if (has("pairs")) {
    const { pairs, means } = await measurePairs(hundred, asked);
    found.pairs = pairs;
    found.pair_means = means;
    const cells = [...pairs, ...means.map((line) => ({ ...line, stored: "mean" }))].map(
      ({ asked, stored, ...line }) => [asked, stored, ...figures(line)],
    );
    print("Asked in one language, stored in another", ["asked", "stored"], cells);
  }
  await hundred.close();
}
if (has("worlds")) {
  const lines = await measureWorlds({ url: options.url, isChosen });
  found.worlds = lines;
  const cells = lines.map(({ language, question, ...means }) => [language, question, ...figures(means)]);
  print("Worlds over HTTP", ["language", "question"], cells);
}
if (options.json !== undefined) await Bun.write(options.json, `${JSON.stringify(found, null, 2)}\n`);
