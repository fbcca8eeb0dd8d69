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
      meaning: 2.082,
      context: 0,
      words: 0.168,
      share: 0.911,
      covered: 0.12,
      sole: 2,
      names: 0.02,
      nearby: 0.168,
      entity: 0.1,
      related: 0.05,
      speaker: 3.913,
      asks: -0.527,
      timed: 1.882,
      person: 1.762,
      reason: 0,
      figure: 2,
      date: 8.582,
      fresh: 0.3,
      recent: 3,
      conflicted: -2,
      overtaken: -3,
      length: 0.937,
    },
    statement: {
      meaning: 1.78,
      context: 0,
      words: 0.031,
      share: 0.129,
      covered: 0,
      sole: 2,
      names: 0.02,
      nearby: 0,
      entity: 0.2,
      related: 0.08,
      speaker: 0.361,
      asks: 0,
      timed: 0.868,
      person: 2,
      reason: 0.538,
      figure: 0.264,
      date: 1.97,
      fresh: 0.3,
      recent: 3,
      conflicted: -2,
      overtaken: -3,
      length: -0.297,
    },
    text: {
      meaning: 1.084,
      context: 0,
      words: 0.076,
      share: 1.528,
      covered: 1.484,
      sole: 2,
      names: 0.02,
      nearby: 0,
      entity: 0.2,
      related: 0.08,
      speaker: 0.361,
      asks: 0,
      timed: 0.868,
      person: 2,
      reason: 0.538,
      figure: 0.187,
      date: 1.97,
      fresh: 0.3,
      recent: 3,
      conflicted: -2,
      overtaken: -3,
      length: -0.297,
    },
  },
  bias: {
    turn: -2.979,
    statement: 1.035,
    text: 1.345,
  },
  run: {
    turn: 0.4,
    statement: 0.2,
    text: 0,
  },
  chance: {
    answered: {
      bias: -2.907,
      nearest: 1.258,
      top: 0.057,
    },
    behind: {
      bias: 0.074,
      gap: 2.69,
    },
  },
};
