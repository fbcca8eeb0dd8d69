import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { z } from "zod";
import { openModels } from "../src/ai/open.ts";
import { toTable } from "./bench/tables.ts";

// Usage: bun scripts/eval-judge.ts pairs.jsonl
//
// What the judge alone makes of a set of labelled pairs, one JSON object a line with older, newer and label: the area under
// its curve, and precision, recall and false alarms at several thresholds. Labels `conflict` and `update` should be flagged.

const THRESHOLDS = [0.5, 0.8, 0.9, 0.95, 0.975];

const Pair = z.object({ older: z.string(), newer: z.string(), label: z.string() });

interface Scored {
  readonly score: number;
  readonly wanted: boolean;
}

const path = process.argv[2];
if (path === undefined) throw new Error("Name a set of pairs: bun scripts/eval-judge.ts pairs.jsonl");
const scored = await scoreAll(path);
console.log(`${scored.length} pairs, AUC ${auc(scored).toFixed(3)}`);
console.log(
  toTable(
    ["threshold", "F1", "false alarms", "precision", "recall"],
    THRESHOLDS.map((threshold) => [threshold, ...at(scored, threshold)]),
  ),
);

async function scoreAll(file: string): Promise<Scored[]> {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const pairs = lines.map((line) => Pair.parse(JSON.parse(line)));
  const { embedder, judge } = openModels("onnx", { cacheDir: tmpdir() });
  await judge?.score(pairs.slice(0, 1));
  const startedAt = performance.now();
  const scores = await judge?.score(pairs);
  const took = performance.now() - startedAt;
  if (!scores) throw new Error(`The judge gave no scores: ${JSON.stringify(judge?.state())}`);
  console.log(`${(took / pairs.length).toFixed(1)} ms a pair`);
  await embedder.close();
  return pairs.map(({ label }, i) => ({ score: scores[i] ?? 0, wanted: label === "conflict" || label === "update" }));
}

/** How often a pair that should be flagged scores above one that should not; equal scores count half. */
function auc(all: readonly Scored[]): number {
  const [wanted, others] = [all.filter((one) => one.wanted), all.filter((one) => !one.wanted)];
  const duels = wanted.flatMap(({ score }) => others.map((other) => (Math.sign(score - other.score) + 1) / 2));
  return duels.reduce((sum, won) => sum + won, 0) / duels.length;
}

/** F1, share of false alarms, precision and recall of flagging from a threshold on. */
function at(all: readonly Scored[], threshold: number): string[] {
  const flagged = all.filter(({ score }) => score >= threshold);
  const right = flagged.filter(({ wanted }) => wanted).length;
  const wanted = all.filter((one) => one.wanted).length;
  const precision = right / (flagged.length || 1);
  const recall = right / (wanted || 1);
  const f1 = (2 * precision * recall) / (precision + recall || 1);
  const falseAlarms = (flagged.length - right) / (all.length - wanted || 1);
  return [f1, falseAlarms, precision, recall].map((value) => value.toFixed(3));
}
