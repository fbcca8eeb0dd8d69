import type { FeatureName, Features } from "../../src/conflicts/features.ts";
import { WEIGHTS } from "../../src/conflicts/weights.ts";

/** A labelled pair as its candidates: what speaks for and against each finding. */
export interface Example {
  readonly wanted: boolean;
  readonly candidates: readonly Features[];
  /** How much it counts. */
  readonly weight: number;
}

export type Weights = Record<FeatureName, number>;

const NAMES = Object.keys(WEIGHTS) as FeatureName[];
const START: Weights = { ...WEIGHTS };
/** How strongly weights are held where they stand: rare features keep what was set by hand. */
const HOLD = 0.002;
const ROUNDS = 300;
/** Adam's constants (Kingma and Ba 2014). */
const STEP = 0.03;
const MEAN_DECAY = 0.9;
const SQUARE_DECAY = 0.999;
const TINY = 1e-8;
/** Log-odds of a pair in which no rule finds anything. */
const NOTHING = -6;

/** The log-odds of a pair: those of its strongest finding. */
export function logitOf(candidates: readonly Features[], weights: Weights): number {
  return strongest(candidates, weights).logit;
}

function strongest(candidates: readonly Features[], weights: Weights) {
  let logit = NOTHING;
  let found: Features | null = null;
  for (const candidate of candidates) {
    let sum = 0;
    for (const name of NAMES) sum += (candidate[name] ?? 0) * weights[name];
    if (sum <= logit) continue;
    logit = sum;
    found = candidate;
  }
  return { logit, found };
}

/** Weights that fit the examples, by gradient descent on the log loss of each pair's strongest finding. */
export function fitWeights(examples: readonly Example[]): Weights {
  const weights = { ...START };
  const mean: Partial<Weights> = {};
  const square: Partial<Weights> = {};
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = slopeOf(examples, weights);
    for (const name of NAMES) {
      mean[name] = MEAN_DECAY * (mean[name] ?? 0) + (1 - MEAN_DECAY) * slope[name];
      square[name] = SQUARE_DECAY * (square[name] ?? 0) + (1 - SQUARE_DECAY) * slope[name] ** 2;
      const direction = mean[name] / (1 - MEAN_DECAY ** round);
      const size = Math.sqrt(square[name] / (1 - SQUARE_DECAY ** round)) + TINY;
      weights[name] -= (STEP * direction) / size;
    }
  }
  return weights;
}

function slopeOf(examples: readonly Example[], weights: Weights): Weights {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const slope = { ...weights };
  for (const name of NAMES) slope[name] = 2 * HOLD * (weights[name] - START[name]);
  for (const { candidates, wanted, weight } of examples) {
    const { logit, found } = strongest(candidates, weights);
    if (found === null) continue;
    const error = ((1 / (1 + Math.exp(-logit)) - (wanted ? 1 : 0)) * weight) / total;
    for (const name of NAMES) slope[name] += error * (found[name] ?? 0);
  }
  return slope;
}
