import type { ScoreWeights } from "../../src/retrieval/score.ts";
import { SCORE_WEIGHTS } from "../../src/retrieval/score.ts";

type Signal = keyof ScoreWeights;
export type Legs = "both" | "words" | "vectors";

/** A way to rank: which legs bring the rows, and what the signals weigh. */
export interface Variant {
  readonly name: string;
  readonly legs: Legs;
  readonly weights: ScoreWeights;
}

const SIGNALS = Object.keys(SCORE_WEIGHTS).filter((name): name is Signal => name in SCORE_WEIGHTS);

const without = (...off: readonly Signal[]): ScoreWeights => ({
  ...SCORE_WEIGHTS,
  ...Object.fromEntries(off.map((signal) => [signal, 0])),
});
const only = (...kept: readonly Signal[]): ScoreWeights =>
  without(...SIGNALS.filter((signal) => !kept.includes(signal)));

/** Everything, each signal switched off in turn, and each leg alone. */
export const VARIANTS: readonly Variant[] = [
  { name: "everything", legs: "both", weights: SCORE_WEIGHTS },
  ...SIGNALS.map((signal) => ({ name: `without ${signal}`, legs: "both" as const, weights: without(signal) })),
  { name: "keyword only", legs: "words", weights: only("words") },
  { name: "vector only", legs: "vectors", weights: only("own") },
  { name: "vector and context", legs: "vectors", weights: only("own", "context") },
];
