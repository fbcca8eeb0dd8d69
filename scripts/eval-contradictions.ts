import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { Judgement } from "../src/core/ports/judge.ts";
import { withInventedNames } from "./evaluate/invented-names.ts";
import { judgeWith, servedJudge } from "./evaluate/judge.ts";
import type { LabelledPair, Tally } from "./evaluate/labelled-pairs.ts";
import { categoryOf, count, emptyTally, figuresOf, isWanted, readPairs } from "./evaluate/labelled-pairs.ts";
import { areaUnderCurve } from "./evaluate/question-set.ts";
import { markdownTable } from "./markdown.ts";

// Usage: bun scripts/eval-contradictions.ts [--model FOLDER] [--names 3] [--false-alarms .035] [--kinds] PAIRS.jsonl...
//
// What the judge that is served (or the network alone of a folder) is worth on labelled pairs, without a server: how well it tells pairs that clash from others (AUC), F1 at the best
// threshold with no more false alarms than named, and how often it tells a replaced memory from one that
// merely clashes. With --names each set is judged again, so many times, with every name that both texts share, and every given
// name, replaced by an invented one. --kinds shows each kind of pair. Prints a table.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: "string" },
    names: { type: "string", default: "0" },
    "false-alarms": { type: "string", default: "0.035" },
    kinds: { type: "boolean", default: false },
  },
});
if (positionals.length === 0) throw new Error("Name a file of pairs.");
const judge = values.model === undefined ? servedJudge() : await judgeWith(values.model);
const alarmsMax = Number(values["false-alarms"]);

const share = (value: number) => value.toFixed(3).replace(/^0/, "");
const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

const tallyOf = (pairs: readonly LabelledPair[], isFlagged: (index: number) => boolean): Tally => {
  const tally = emptyTally();
  for (const [i, pair] of pairs.entries()) count(tally, isWanted(pair), isFlagged(i));
  return tally;
};

/** The best F1 of all thresholds that flag no more than so many of the pairs that do not clash. */
function bestWithin(pairs: readonly LabelledPair[], scores: readonly number[]) {
  const figures = [...new Set(scores)].map((threshold) => ({
    threshold: Number(threshold.toFixed(3)),
    ...figuresOf(tallyOf(pairs, (i) => (scores[i] ?? 0) >= threshold)),
  }));
  const allowed = figures.filter(({ false_alarm_rate }) => false_alarm_rate <= alarmsMax);
  return allowed.toSorted((a, b) => b.f1 - a.f1)[0] ?? null;
}

const rows: string[][] = [];

function report(name: string, pairs: readonly LabelledPair[], found: readonly Judgement[]): void {
  const scores = found.map(({ clash }) => clash);
  const of = (wanted: boolean) => scores.filter((_, i) => pairs[i] && isWanted(pairs[i]) === wanted);
  const clashing = pairs.flatMap((pair, i) => (isWanted(pair) ? [{ pair, judged: found[i] }] : []));
  const told = clashing.filter(({ pair, judged }) => (judged?.replaced ?? 0) >= 0.5 === (pair.label === "update"));
  const best = bestWithin(pairs, scores);
  rows.push([
    name,
    String(pairs.length),
    share(areaUnderCurve(of(true), of(false))),
    share(best?.f1 ?? 0),
    percent(best?.false_alarm_rate ?? 0),
    share(told.length / clashing.length),
  ]);
  if (!values.kinds) return;
  const kinds = Map.groupBy(
    pairs.map((pair, i) => ({ pair, i })),
    ({ pair }) => categoryOf(pair),
  );
  for (const [kind, members] of kinds) {
    const flagged = members.filter(({ i }) => (scores[i] ?? 0) >= (best?.threshold ?? 1)).length;
    process.stdout.write(`${name}: ${flagged} of ${members.length} flagged: ${kind}\n`);
  }
}

for (const path of positionals) {
  const pairs = readPairs(path);
  report(basename(path), pairs, await judge(pairs));
  for (let seed = 1; seed <= Number(values.names); seed++) {
    const renamed = pairs.map((pair, i) => withInventedNames(pair, seed * pairs.length + i));
    report(`${basename(path)}, names invented (${seed})`, renamed, await judge(renamed));
  }
}
const limit = percent(alarmsMax);
const head = ["Set", "pairs", "AUC", `best F1 within ${limit}`, "false alarms", "told replaced"];
process.stdout.write(`${markdownTable(head, rows)}\n`);
process.exit(0);
