import type { Signal, Signals } from "../../src/search/signals.ts";
import { SIGNALS } from "../../src/search/signals.ts";
import type { RankingWeights } from "../../src/search/weights.ts";
import { WEIGHTS } from "../../src/search/weights.ts";

export type Legs = "both" | "words" | "vectors";

/** A way to rank: which legs bring the rows, and what the signals weigh. */
export interface Variant {
  readonly name: string;
  readonly legs: Legs;
  readonly weights: RankingWeights;
  /** Whether a row loses to a newer one that says the same of the same. */
  readonly isNewestFirst: boolean;
}

const NO_PULL = { turn: 0, statement: 0, text: 0 };

/** The usual weights, without some signals. */
function without(...off: readonly Signal[]): RankingWeights {
  const { turn, statement, text } = WEIGHTS.signals;
  const cut = (weights: Signals): Signals => ({
    ...weights,
    ...Object.fromEntries(off.map((signal) => [signal, 0])),
  });
  return { ...WEIGHTS, signals: { turn: cut(turn), statement: cut(statement), text: cut(text) } };
}
const only = (...kept: readonly Signal[]): RankingWeights => ({
  ...without(...SIGNALS.filter((signal) => !kept.includes(signal))),
  run: NO_PULL,
});

const ranked = (name: string, weights: RankingWeights, legs: Legs = "both"): Variant => ({
  name,
  legs,
  weights,
  isNewestFirst: legs === "both",
});

/** As it is served. */
export const USUAL: Variant = ranked("everything", WEIGHTS);

/** Everything, each signal switched off in turn, and each leg alone. */
export const VARIANTS: readonly Variant[] = [
  USUAL,
  ...SIGNALS.map((signal) => ranked(`without ${signal}`, without(signal))),
  ranked("without run", { ...WEIGHTS, run: NO_PULL }),
  { ...ranked("without newest first", WEIGHTS), isNewestFirst: false },
  ranked("keyword only", only("words", "share", "covered", "sole", "names"), "words"),
  ranked("vector only", only("meaning"), "vectors"),
];
