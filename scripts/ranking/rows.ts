import type { RowKind } from "../../src/search/row-kinds.ts";
import { smoothByRun } from "../../src/search/runs.ts";
import type { Signals } from "../../src/search/signals.ts";
import { SIGNALS } from "../../src/search/signals.ts";
import type { RankingWeights } from "../../src/search/weights.ts";

/** One row that a question found: what it is, its signals, and whether it answers. */
export interface Row {
  readonly kind: RowKind;
  readonly signals: Signals;
  readonly run_id: string | null;
  /** What its set calls it. */
  readonly ref: string;
  readonly isGold: boolean;
}

/** Rows best first by a set of weights, as `weighHits` orders hits. */
export function ranked(rows: readonly Row[], weights: RankingWeights): (Row & { readonly total: number })[] {
  const weighed = rows.map((row) => {
    const weight = weights.signals[row.kind];
    return {
      ...row,
      total: SIGNALS.reduce((sum, signal) => sum + weight[signal] * row.signals[signal], weights.bias[row.kind]),
    };
  });
  return smoothByRun(weighed, weights.run).sort((a, b) => b.total - a.total);
}
