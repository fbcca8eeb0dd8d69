import { parseArgs } from "node:util";
import { scoredMatches } from "../src/conflicts/compare.ts";
import { parseText } from "../src/text/claims/parse.ts";
import { NOTES } from "../test/unit/conflicts/notes.ts";
import { PAIRS, type Pair } from "../test/unit/conflicts/pairs.ts";
import { type Example, fitWeights, logitOf } from "./eval-contradictions/fit.ts";
import { scorePairs } from "./eval-contradictions/judge.ts";
import { count, emptyTally, figuresOf, isWanted, type LabelledPair, readPairs } from "./evaluate/labelled-pairs.ts";

// Usage: bun scripts/fit-contradictions.ts [pairs.jsonl ...] [--model models/judge-v2]
//
// Fits the weights of src/conflicts/weights.ts to the written tables of test/unit/contradictions and to further
// labelled pairs, which the judge must not have learned from (scripts/judge/pairs-held-out.jsonl). To run when the judge's
// model changes. Prints what weights are worth on pairs that they were not fitted to, then the table to paste.

const WRITTEN_MS = Date.UTC(2025, 5, 2, 9);
const FOLDS = 5;
/** Pairs count as well without a judge, so that the rules stand alone where its model is missing. */
const ALONE_WEIGHT = 0.2;
const CONFIDENCES = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string", default: "models/judge-v2" } },
});

const labelled = ([older, newer, expected, category]: Pair): LabelledPair => ({
  older,
  newer,
  label: expected === null ? "compatible" : "conflict",
  category,
});

function toExample(pair: LabelledPair, judge: number | null, weight: number): Example {
  const signals = { judge, cosine: null, shared_entities: 0 };
  const found = scoredMatches(parseText(pair.older, WRITTEN_MS), parseText(pair.newer, WRITTEN_MS), signals);
  return { wanted: isWanted(pair), candidates: found.map(({ features }) => features), weight };
}

async function examplesOf(pairs: readonly LabelledPair[]): Promise<Example[]> {
  const scores = await scorePairs(values.model, pairs);
  return pairs.map((pair, i) => toExample(pair, scores[i] ?? null, 1));
}

interface Judged {
  readonly wanted: boolean;
  readonly logit: number;
}

const written = [...PAIRS, ...NOTES].map(labelled);
const own = await examplesOf(written);
const further = await examplesOf(positionals.flatMap(readPairs));
const alone = written.map((pair) => toExample(pair, null, ALONE_WEIGHT));
const inFold = (fold: number) => (_: Example, i: number) => i % FOLDS === fold;
const outside = (fold: number) => (_: Example, i: number) => i % FOLDS !== fold;

/** Log-odds of examples by weights that were fitted without their fold. */
const heldOut = { own: [] as Judged[], further: [] as Judged[] };
for (let fold = 0; fold < FOLDS; fold++) {
  const weights = fitWeights([own, further, alone].flatMap((examples) => examples.filter(outside(fold))));
  const judged = (examples: readonly Example[]) =>
    examples.filter(inFold(fold)).map(({ wanted, candidates: found }) => ({ wanted, logit: logitOf(found, weights) }));
  heldOut.own.push(...judged(own));
  heldOut.further.push(...judged(further));
}
for (const [name, judged] of Object.entries(heldOut)) {
  for (const confidence of CONFIDENCES) {
    const tally = emptyTally();
    for (const { wanted, logit } of judged) count(tally, wanted, 1 / (1 + Math.exp(-logit)) >= confidence);
    process.stdout.write(`${name}, held out, confidence >= ${confidence} ${JSON.stringify(figuresOf(tally))}\n`);
  }
}
for (const [name, weight] of Object.entries(fitWeights([...own, ...further, ...alone])))
  process.stdout.write(`  ${name}: ${Number(weight.toFixed(2))},\n`);
