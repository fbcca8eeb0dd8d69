import type { RowKind } from "../../src/retrieval/kinds.ts";
import type { Signals } from "../../src/retrieval/signals.ts";
import { SIGNALS } from "../../src/retrieval/signals.ts";
import type { RankingWeights } from "../../src/retrieval/weights.ts";

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
  const best = new Map<string | null, number>();
  for (const { run_id, total } of weighed)
    if (run_id !== null) best.set(run_id, Math.max(best.get(run_id) ?? Number.NEGATIVE_INFINITY, total));
  return weighed
    .map((row) => {
      const top = best.get(row.run_id) ?? row.total;
      return { ...row, total: row.total + weights.run[row.kind] * (top - row.total) };
    })
    .sort((a, b) => b.total - a.total);
}
