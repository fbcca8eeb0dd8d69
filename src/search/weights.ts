import type { RowKind } from "./row-kinds.ts";
import type { Signal } from "./signals.ts";

export interface RankingWeights {
  /** What one unit of each signal adds to a row's evidence, in nats, by what the row is. */
  readonly signals: Readonly<Record<RowKind, Readonly<Record<Signal, number>>>>;
  /** What a row is worth before any signal. */
  readonly bias: Readonly<Record<RowKind, number>>;
  /** Share of the way towards the best row of the same run, by what the row is. */
  readonly run: Readonly<Record<RowKind, number>>;
  /** Log-odds that any hit answers, and that a row does which is so many nats, on a logarithmic scale, behind the best. */
  readonly chance: {
    readonly answered: { readonly bias: number; readonly nearest: number; readonly top: number };
    readonly behind: { readonly bias: number; readonly gap: number };
  };
}

/** Fitted by `bun scripts/fit-ranking.ts`, which prints this table. */
export const WEIGHTS: RankingWeights = {
  signals: {
    turn: {
      meaning: 1.691,
      secondary: 1.078,
      context: 1.691,
      words: 0.19,
      share: 0,
      covered: 0.203,
      sole: 2,
      names: 0,
      nearby: 0.19,
      entity: 0.1,
      related: 0.05,
      speaker: 3.277,
      asks: -0.517,
      timed: 1.937,
      person: 2,
      reason: 0.365,
      figure: 2,
      date: 7.948,
      fresh: 0.3,
      recent: 3,
      conflicted: -2,
      overtaken: -3,
      length: 0.385,
    },
    statement: {
      meaning: 1.56,
      secondary: 0.957,
      context: 0,
      words: 0.019,
      share: 0,
      covered: 0,
      sole: 2,
      names: 0.125,
      nearby: 0,
      entity: 0.2,
      related: 0.08,
      speaker: 0.494,
      asks: 0,
      timed: 0.963,
      person: 2,
      reason: 1.623,
      figure: 0.398,
      date: 1.797,
      fresh: 0.3,
      recent: 3,
      conflicted: -2,
      overtaken: -3,
      length: -0.418,
    },
    text: {
      meaning: 0.976,
      secondary: 0.466,
      context: 0,
      words: 0.095,
      share: 0,
      covered: 2.237,
      sole: 2,
      names: 0,
      nearby: 0,
      entity: 0.2,
      related: 0.08,
      speaker: 0.494,
      asks: 0,
      timed: 0.963,
      person: 2,
      reason: 1.623,
      figure: 0.395,
      date: 1.797,
      fresh: 0.3,
      recent: 3,
      conflicted: -2,
      overtaken: -3,
      length: -0.418,
    },
  },
  bias: {
    turn: -3.077,
    statement: -0.168,
    text: 2.358,
  },
  run: {
    turn: 0.4,
    statement: 0.2,
    text: 0,
  },
  chance: {
    answered: {
      bias: -3.981,
      nearest: 1.192,
      top: 0.041,
    },
    behind: {
      bias: 0.026,
      gap: 2.501,
    },
  },
};
