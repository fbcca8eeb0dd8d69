import type { PairSignal, PairSignals } from "./signals.ts";
import { PAIR_SIGNALS } from "./signals.ts";

/** What a signal counts, in log-odds, for each unit that it is above what it usually is. */
interface Weight {
  readonly weight: number;
  /** Its mean over the pairs that notes of a store are compared as. */
  readonly usual: number;
}

/**
 * How much each signal of a pair speaks for the older note being over. Fitted by scripts/judge/fit-decision.ts to the pairs that
 * seven stores of notes are compared as (logistic regression).
 */
export const DECISION_WEIGHTS: Readonly<Record<PairSignal, Weight>> = {
  clash: { weight: 0.452, usual: -2.185 },
  replaced: { weight: 0.08, usual: 2.569 },
  nearness: { weight: 10.037, usual: 0.383 },
  older_words: { weight: 2.107, usual: 0.169 },
  newer_words: { weight: 0.172, usual: 0.17 },
  other_value: { weight: 0.521, usual: 0.295 },
  same_value: { weight: -0.33, usual: 0.028 },
  older_length: { weight: -1.642, usual: 2.354 },
  newer_length: { weight: 0.765, usual: 2.351 },
};
/** The log-odds of a pair of which every signal is as usual. */
export const USUAL = -4.202;

/**
 * From this certainty on a note is over, and from this one on it may be: chosen on the stores that the weights are fitted to, each by
 * the others, with the judge's own word beside it (`CLASH_MIN` of compare.ts).
 */
export const RETIRED_MIN = 0.4;
export const POSSIBLE_MIN = 0.12;

/** What each signal adds to the log-odds of a usual pair that the older note is over. */
export const partsOf = (signals: PairSignals): Readonly<Record<PairSignal, number>> => {
  const parts = PAIR_SIGNALS.map((name) => {
    const { weight, usual } = DECISION_WEIGHTS[name];
    return [name, weight * (signals[name] - usual)] as const;
  });
  // Safe: it has each of the names.
  return Object.fromEntries(parts) as Record<PairSignal, number>;
};

/** How surely the older note of a pair is over, 0 to 1. */
export function certaintyOf(signals: PairSignals): number {
  const sum = Object.values(partsOf(signals)).reduce((all, part) => all + part, USUAL);
  return 1 / (1 + Math.exp(-sum));
}

/** What a signal says where it is above what it usually is, and where not. */
const IN_WORDS: Readonly<Record<PairSignal, readonly [above: string, below: string]>> = {
  clash: ["both can hardly hold", "both may hold"],
  replaced: ["things moved on", "nothing says that things moved on"],
  nearness: ["near in meaning", "far in meaning"],
  older_words: ["many words of the older one", "few words of the older one"],
  newer_words: ["the newer one says little else", "the newer one says much else"],
  other_value: ["another value", "no other value"],
  same_value: ["a value in common", "no value in common"],
  older_length: ["the older one is long", "the older one is short"],
  newer_length: ["the newer one is long", "the newer one is short"],
};
const REASONS = 3;
/** What counts less is no reason, in log-odds. */
const REASON_MIN = 0.3;

/** Why a pair was decided as it was: the strongest signals, each with what it counts. */
export function reasonsOf(signals: PairSignals): string {
  const parts = partsOf(signals);
  return PAIR_SIGNALS.filter((name) => Math.abs(parts[name]) >= REASON_MIN)
    .toSorted((a, b) => Math.abs(parts[b]) - Math.abs(parts[a]))
    .slice(0, REASONS)
    .map((name) => {
      const [above, below] = IN_WORDS[name];
      const said = signals[name] > DECISION_WEIGHTS[name].usual ? above : below;
      return `${said} (${parts[name] > 0 ? "+" : ""}${parts[name].toFixed(1)})`;
    })
    .join(", ");
}
