// Usage: bun scripts/judge/fit-decision.ts FILE.jsonl... [--also FILE.jsonl...] [--without SIGNAL,...]
//
// Fits how much each signal of a pair counts (src/conflicts/decision.ts) to files that store-pairs.ts wrote: logistic regression of
// "the newer note ends the whole older one", on the labelled stores that are not only reported, and with less weight on the pairs
// of --also; changes of a part and unsure pairs count neither way. Prints how many notes are retired rightly and wrongly at each
// threshold (each fitted store by the others, the reported ones by all), F1 on sets of pairs, what each signal is worth, and the
// weights. Pairs that are too little alike for the judge are left out, and told.
import { parseArgs } from "node:util";
import { z } from "zod";
import { LIKENESS_MIN } from "../../src/conflicts/judge.ts";
import { PAIR_SIGNALS } from "../../src/conflicts/signals.ts";
import { Retirements, STORES } from "../../test/relevance/stores.ts";
import { markdownTable } from "../markdown.ts";

const { values, positionals } = parseArgs({
  options: { also: { type: "string", multiple: true, default: [] }, without: { type: "string" } },
  allowPositionals: true,
});
const StorePair = z.object({
  store: z.string(),
  older: z.string(),
  label: z.enum(["whole", "part", "unsure", "trap", "none"]),
  likeness: z.number(),
  signals: z.record(z.enum(PAIR_SIGNALS), z.number()),
});
type StorePair = z.infer<typeof StorePair>;

/** Pull towards nothing, in standard deviations of a signal. */
const RIDGE = 1;
const STEPS = 40;
/** What a pair of no store counts: pairs clash far more often than notes of a store do. */
const PAIR_WEIGHT = 0.15;
const LEVELS = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05];
const RECALLS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const DIGITS = 2;

const left = new Set(values.without?.split(",") ?? []);
const names = PAIR_SIGNALS.filter((name) => !left.has(name));
const read = async (paths: readonly string[]): Promise<StorePair[]> => {
  const files = paths.map(async (path) => z.array(StorePair).parse(Bun.JSONL.parse(await Bun.file(path).text())));
  const all = (await Promise.all(files)).flat();
  const read = all.filter(({ likeness }) => likeness >= LIKENESS_MIN);
  const wholes = (some: readonly StorePair[]): number => some.filter(({ label }) => label === "whole").length;
  console.log(
    `${read.length} of ${all.length} pairs are read, ${wholes(read)} of ${wholes(all)} changes of whole notes.`,
  );
  return read;
};
const [rows, also] = [await read(positionals), await read(values.also)];
const reported = new Set(STORES.filter(({ is_reported }) => is_reported).map(({ store }) => store.name));
const known = new Set(STORES.map(({ store }) => store.name));
const stores = [...new Set(rows.map(({ store }) => store))];
const fitted = stores.filter((name) => known.has(name) && !reported.has(name));

const meanOf = (pairs: readonly StorePair[], name: (typeof PAIR_SIGNALS)[number]): number =>
  pairs.reduce((sum, { signals }) => sum + (signals[name] ?? 0), 0) / pairs.length;

const of = (some: readonly string[]) => rows.filter(({ store }) => some.includes(store));
const crossed = fitted.flatMap((name) => scored(of([name]), fit(of(fitted.filter((other) => other !== name)))));
const final = fit(of(fitted));
show("each fitted store by the others", crossed);
show("reported", scored(of([...reported]), final));
for (const name of reported) show(name, scored(of([name]), final));
for (const [name, pairs] of Map.groupBy(
  [...rows.filter(({ store }) => !known.has(store)), ...also],
  ({ store }) => store,
))
  showPairs(name, scored(pairs, final));
console.log(
  markdownTable(
    ["Signal", "weight", "spread", "worth"],
    names.map((name) => {
      const spread = deviationOf(of(fitted).map(({ signals }) => signals[name] ?? 0));
      const weight = final.weights.get(name) ?? 0;
      return [name, weight.toFixed(DIGITS), spread.toFixed(DIGITS), (weight * spread).toFixed(DIGITS)];
    }),
  ),
);
const rounded = (value: number): number => Number(value.toFixed(DIGITS + 1));
const weights = names.map((name) => {
  const usual = meanOf(of(fitted), name);
  return [name, { weight: rounded(final.weights.get(name) ?? 0), usual: rounded(usual) }] as const;
});
const usual = names.reduce((sum, name) => sum + (final.weights.get(name) ?? 0) * meanOf(of(fitted), name), final.bias);
console.log(JSON.stringify({ weights: Object.fromEntries(weights), usual: rounded(usual) }, null, 2));

interface Fit {
  readonly weights: ReadonlyMap<(typeof PAIR_SIGNALS)[number], number>;
  readonly bias: number;
}
interface Scored {
  readonly pair: StorePair;
  readonly score: number;
}

function deviationOf(all: readonly number[]): number {
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  return Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length);
}

/** Logistic regression by Newton's method, signals in units of their own spread. */
function fit(pairs: readonly StorePair[]): Fit {
  const used = [...pairs, ...also].filter(({ label }) => label !== "part" && label !== "unsure");
  const counts = used.map(({ store }) => (known.has(store) ? 1 : PAIR_WEIGHT));
  const means = names.map((name) => used.reduce((sum, { signals }) => sum + (signals[name] ?? 0), 0) / used.length);
  const spreads = names.map((name) => deviationOf(used.map(({ signals }) => signals[name] ?? 0)) || 1);
  const points = used.map(({ signals }) => [
    1,
    ...names.map((name, i) => ((signals[name] ?? 0) - (means[i] ?? 0)) / (spreads[i] ?? 1)),
  ]);
  const wanted = used.map(({ label }) => Number(label === "whole"));
  let weights: readonly number[] = Array.from({ length: names.length + 1 }, () => 0);
  for (let step = 0; step < STEPS; step++) weights = closer(weights, { points, wanted, counts });
  const own = names.map((name, i) => [name, (weights[i + 1] ?? 0) / (spreads[i] ?? 1)] as const);
  const bias = own.reduce((sum, [, weight], i) => sum - weight * (means[i] ?? 0), weights[0] ?? 0);
  return { weights: new Map(own), bias };
}

interface Problem {
  readonly points: readonly (readonly number[])[];
  readonly wanted: readonly number[];
  readonly counts: readonly number[];
}

/** One step of Newton's method; the first weight is of a constant, and pulled nowhere. */
function closer(weights: readonly number[], { points, wanted, counts }: Problem): number[] {
  const gradient = weights.map((weight, i) => (i === 0 ? 0 : -RIDGE * weight));
  const curvature = weights.map((_, i) => weights.map((__, j) => Number(i === j) * (i === 0 ? 1e-9 : RIDGE)));
  for (const [at, point] of points.entries()) {
    const count = counts[at] ?? 1;
    const p = 1 / (1 + Math.exp(-point.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0)));
    for (const [i, value] of point.entries()) {
      gradient[i] = (gradient[i] ?? 0) + count * ((wanted[at] ?? 0) - p) * value;
      const line = curvature[i] ?? [];
      for (const [j, other] of point.entries()) line[j] = (line[j] ?? 0) + count * p * (1 - p) * value * other;
    }
  }
  const move = solve(curvature, gradient);
  return weights.map((weight, i) => weight + (move[i] ?? 0));
}

/** Solves a system of equations by Gaussian elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const lines = matrix.map((line, i) => [...line, right[i] ?? 0]);
  for (let at = 0; at < lines.length; at++) {
    const pivot = lines
      .slice(at)
      .reduce((best, line) => (Math.abs(line[at] ?? 0) > Math.abs(best[at] ?? 0) ? line : best));
    lines.splice(lines.indexOf(pivot), 1);
    lines.splice(at, 0, pivot);
    for (const line of lines) {
      if (line === pivot) continue;
      const share = (line[at] ?? 0) / (pivot[at] ?? 1);
      for (let k = at; k < line.length; k++) line[k] = (line[k] ?? 0) - share * (pivot[k] ?? 0);
    }
  }
  return lines.map((line, i) => (line.at(-1) ?? 0) / (line[i] ?? 1));
}

function scored(pairs: readonly StorePair[], { weights, bias }: Fit): Scored[] {
  return pairs.map((pair) => ({
    pair,
    score: names.reduce((sum, name) => sum + (weights.get(name) ?? 0) * (pair.signals[name] ?? 0), bias),
  }));
}

/** Prints what becomes of the notes of some stores: a note is over where one of its pairs says so. */
function show(title: string, all: readonly Scored[]): void {
  const best = new Map<string, number>();
  for (const { pair, score } of all)
    best.set(pair.older, Math.max(best.get(pair.older) ?? Number.NEGATIVE_INFINITY, score));
  const some = new Set(all.map(({ pair }) => pair.store));
  const labelled = STORES.filter(({ store }) => some.has(store.name));
  const pairs = labelled.flatMap(({ retirements }) => Retirements.parse(retirements).pairs);
  const wanted = new Set(
    pairs.filter(({ extent, sure, also }) => extent === "whole" && sure && !also).map(({ older }) => older),
  );
  const either = new Set(pairs.map(({ older }) => older));
  const notes = labelled.reduce((sum, { store }) => sum + store.memories.length, 0);
  const lines: (string | number)[][] = [];
  let [found, wrong] = [0, 0];
  const due = [...RECALLS];
  for (const [older, score] of [...best].toSorted(([, a], [, b]) => b - a)) {
    if (wanted.has(older)) found++;
    else if (!either.has(older)) wrong++;
    while (due[0] !== undefined && found / wanted.size >= due[0])
      lines.push([
        ...[due.shift() ?? 0, (1 / (1 + Math.exp(-score))).toFixed(DIGITS + 1)],
        ...[(found / (found + wrong)).toFixed(DIGITS), ((1000 * wrong) / notes).toFixed(1)],
      ]);
  }
  console.log(`\n${title}: ${wanted.size} of ${notes} notes are over\n`);
  console.log(markdownTable(["recall", "from", "precision", "wrong per 1,000"], lines));
}

/** Prints F1 and false alarms on a set of pairs from each level of certainty on; pairs that are no candidates count as silent. */
function showPairs(title: string, all: readonly Scored[]): void {
  const wanted = all.filter(({ pair }) => pair.label === "whole").length;
  const lines = LEVELS.map((level) => {
    const flagged = all.filter(({ score }) => 1 / (1 + Math.exp(-score)) >= level);
    const right = flagged.filter(({ pair }) => pair.label === "whole").length;
    const alarms = flagged.length - right;
    const share = (value: number): string => value.toFixed(DIGITS + 1);
    return [level, share((2 * right) / (wanted + flagged.length)), share(alarms / (all.length - wanted || 1))];
  });
  console.log(`\n${title}: ${wanted} of ${all.length} pairs that are read clash\n`);
  console.log(markdownTable(["from", "F1", "false alarms"], lines));
}
