import { parseArgs } from "node:util";
import { readText } from "../src/claims/reading.ts";
import { candidates } from "../src/contradictions/compare.ts";
import { NOTES } from "../test/unit/contradictions/notes.ts";
import { PAIRS, type Pair } from "../test/unit/contradictions/pairs.ts";
import { type Example, fitWeights, logitOf, type Weights } from "./eval-contradictions/fit.ts";
import { scorePairs } from "./eval-contradictions/judge.ts";
import { count, emptyTally, figuresOf, isWanted, type LabelledPair, readPairs } from "./eval-contradictions/set.ts";

// Usage: bun scripts/fit-contradictions.ts [further.jsonl ...] [--model models/judge-v1] [--limit 2000]
//
// Fits the weights of src/contradictions/weights.ts to the written tables of test/unit/contradictions and, at a tenth of
// their weight, to further labelled pairs: for a judge that has not learned from those. To run when the judge's model
// changes. Prints the table to paste, and what it is worth on pairs that it was not fitted to.

const WRITTEN_MS = Date.UTC(2025, 5, 2, 9);
const FOLDS = 5;
/** The written pairs are few and careful, generated ones many and rough. */
const FURTHER_WEIGHT = 0.1;
/** Pairs count as well without a judge, so that the rules stand alone where its model is missing. */
const ALONE_WEIGHT = 0.2;
const FALSE_ALARMS_MAX = 0.05;
const LOGITS = Array.from({ length: 81 }, (_, i) => i / 20 - 1);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string", default: "models/judge-v1" }, limit: { type: "string", default: "2000" } },
});

const labelled = ([older, newer, expected, category]: Pair): LabelledPair => ({
  older,
  newer,
  label: expected === null ? "compatible" : "conflict",
  category,
});

function toExample(pair: LabelledPair, judge: number | null, weight: number): Example {
  const signals = { judge, cosine: null, shared_entities: 0 };
  const found = candidates(readText(pair.older, WRITTEN_MS), readText(pair.newer, WRITTEN_MS), signals);
  return { wanted: isWanted(pair), candidates: found.map(({ features }) => features), weight };
}

async function examplesOf(pairs: readonly LabelledPair[], weight: number): Promise<Example[]> {
  const scores = await scorePairs(values.model, pairs);
  return pairs.map((pair, i) => toExample(pair, scores[i] ?? null, weight));
}

/** Figures at a threshold in log-odds. */
function measure(examples: readonly Example[], weights: Weights, threshold: number) {
  const tally = emptyTally();
  for (const { candidates: found, wanted } of examples) count(tally, wanted, logitOf(found, weights) >= threshold);
  return figuresOf(tally);
}

/** The threshold with the best F1 among those with few false alarms. */
function report(name: string, examples: readonly Example[], weights: Weights): void {
  const measured = LOGITS.map((logit) => ({ logit, ...measure(examples, weights, logit) }));
  const [best] = measured
    .filter(({ false_alarm_rate }) => false_alarm_rate <= FALSE_ALARMS_MAX)
    .sort((a, b) => b.f1 - a.f1);
  process.stdout.write(
    `${name} ${JSON.stringify(best)} confidence ${(1 / (1 + Math.exp(-(best?.logit ?? 0)))).toFixed(2)}\n`,
  );
}

const written = [...PAIRS, ...NOTES].map(labelled);
const own = await examplesOf(written, 1);
const alone = written.map((pair) => toExample(pair, null, ALONE_WEIGHT));
const further: Example[] = [];
for (const path of positionals)
  further.push(...(await examplesOf(readPairs(path).slice(0, Number(values.limit)), FURTHER_WEIGHT)));

const heldOut: (readonly [Example, number])[] = [];
for (let fold = 0; fold < FOLDS; fold++) {
  const weights = fitWeights([
    ...own.filter((_, i) => i % FOLDS !== fold),
    ...alone.filter((_, i) => i % FOLDS !== fold),
    ...further,
  ]);
  heldOut.push(
    ...own
      .filter((_, i) => i % FOLDS === fold)
      .map((example) => [example, logitOf(example.candidates, weights)] as const),
  );
}
for (const threshold of [0, 0.25, 0.5, 0.75, 1, 1.25]) {
  const tally = emptyTally();
  for (const [{ wanted }, logit] of heldOut) count(tally, wanted, logit >= threshold);
  process.stdout.write(`written pairs, held out, log-odds >= ${threshold} ${JSON.stringify(figuresOf(tally))}\n`);
}
const fitted = fitWeights([...own, ...alone, ...further]);
report("written pairs, fitted", own, fitted);
if (further.length > 0) report("further pairs, fitted", further, fitted);
for (const [name, weight] of Object.entries(fitted)) process.stdout.write(`  ${name}: ${Number(weight.toFixed(2))},\n`);
