import { parseArgs } from "node:util";
import { comparePair, scoredMatches } from "../src/conflicts/compare.ts";
import type { Verdict } from "../src/conflicts/verdict.ts";
import { parseText } from "../src/text/claims/parse.ts";
import { scorePairs } from "./eval-contradictions/judge.ts";
import {
  categoryOf,
  count,
  emptyTally,
  figuresOf,
  isWanted,
  type LabelledPair,
  readPairs,
  type Tally,
} from "./evaluate/labelled-pairs.ts";
import { areaUnderCurve } from "./evaluate/question-set.ts";

// Usage: bun scripts/eval-contradictions.ts <pairs.jsonl> [--rules | --judge | --both] [--model models/judge-v2] [--limit n]
//        [--mistakes] [--brief]
//
// What the comparison of two statements is worth on labelled pairs, without a server: rules alone, the judge alone at
// several thresholds, and both. Prints figures, and with --mistakes every pair that was judged wrongly.

const CONFIDENCES = [0.6, 0.65, 0.7, 0.75, 0.8, 0.85];
const THRESHOLDS = [0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99];
/** The newer one is written moments after the older one, so that time says nothing. */
const WRITTEN_MS = Date.UTC(2025, 5, 2, 9);
const MOMENT_MS = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rules: { type: "boolean" },
    judge: { type: "boolean" },
    both: { type: "boolean" },
    mistakes: { type: "boolean" },
    brief: { type: "boolean" },
    model: { type: "string", default: "models/judge-v2" },
    limit: { type: "string" },
  },
});
const [path] = positionals;
if (path === undefined) throw new Error("Name a file of pairs.");

function verdictOf({ older, newer }: LabelledPair, judge: number | null): Verdict | null {
  const statement = (text: string, at_ms: number) => ({ text, claims: [], at_ms });
  const signals = { judge, cosine: null, shared_entities: 0 };
  return comparePair(statement(older, WRITTEN_MS), statement(newer, WRITTEN_MS + MOMENT_MS), signals);
}

function report(name: string, pairs: readonly LabelledPair[], scores: readonly (number | null)[]): void {
  const total = emptyTally();
  const byCategory = new Map<string, Tally>();
  const mistakes: string[] = [];
  for (const [i, pair] of pairs.entries()) {
    const verdict = verdictOf(pair, scores[i] ?? null);
    const category = byCategory.get(categoryOf(pair)) ?? emptyTally();
    byCategory.set(categoryOf(pair), category);
    for (const tally of [total, category]) count(tally, isWanted(pair), verdict !== null);
    if (isWanted(pair) === (verdict !== null)) continue;
    const why = verdict ? `${verdict.rule} ${verdict.confidence.toFixed(2)}` : "missed";
    const judged = scores[i] === null ? "" : ` judge ${scores[i]?.toFixed(2)}`;
    mistakes.push(`  [${categoryOf(pair)}] ${why}${judged}: ${pair.older} | ${pair.newer}`);
  }
  process.stdout.write(`${name} ${JSON.stringify(figuresOf(total))}\n`);
  if (!values.brief) console.table(Object.fromEntries([...byCategory].sort(([a], [b]) => a.localeCompare(b))));
  if (values.mistakes) process.stdout.write(`${mistakes.sort().join("\n")}\n`);
}

/** What flagging from each threshold on is worth. */
function reportThresholds(
  name: string,
  pairs: readonly LabelledPair[],
  { values: found, thresholds }: { readonly values: readonly number[]; readonly thresholds: readonly number[] },
): void {
  for (const threshold of thresholds) {
    const tally = emptyTally();
    for (const [i, pair] of pairs.entries()) count(tally, isWanted(pair), (found[i] ?? 0) >= threshold);
    process.stdout.write(`${name} >= ${threshold} ${JSON.stringify(figuresOf(tally))}\n`);
  }
}

/** How sure the verdicts are, whatever CONFIDENCE_MIN is; 0 where nothing is found. */
const confidencesOf = (pairs: readonly LabelledPair[], scores: readonly number[]): number[] =>
  pairs.map(({ older, newer }, i) => {
    const signals = { judge: scores[i] ?? null, cosine: null, shared_entities: 0 };
    const found = scoredMatches(parseText(older, WRITTEN_MS), parseText(newer, WRITTEN_MS + MOMENT_MS), signals);
    return Math.max(0, ...found.map(({ confidence }) => confidence));
  });

/** How often a pair that should be flagged scores above one that should not. */
function auc(pairs: readonly LabelledPair[], scores: readonly number[]): number {
  const of = (wanted: boolean) => scores.filter((_, i) => pairs[i] && isWanted(pairs[i]) === wanted);
  return areaUnderCurve(of(true), of(false));
}

const pairs = readPairs(path).slice(0, values.limit ? Number(values.limit) : undefined);
const all = !values.rules && !values.judge && !values.both;
if (all || values.rules)
  report(
    "rules alone",
    pairs,
    pairs.map(() => null),
  );
if (all || values.judge || values.both) {
  const startedAt = performance.now();
  const scores = await scorePairs(values.model, pairs);
  const took = (performance.now() - startedAt) / pairs.length;
  if (all || values.judge) {
    process.stdout.write(`judge AUC ${auc(pairs, scores).toFixed(3)}, ${took.toFixed(1)} ms a pair with its loading\n`);
    reportThresholds("judge", pairs, { values: scores, thresholds: THRESHOLDS });
  }
  if (all || values.both) {
    report("both", pairs, scores);
    reportThresholds("confidence", pairs, { values: confidencesOf(pairs, scores), thresholds: CONFIDENCES });
  }
}
