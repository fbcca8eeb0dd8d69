import type { RowKind } from "./row-kinds.ts";
import type { RankingWeights } from "./weights.ts";

/** A row with its own evidence, in nats, and the run that it belongs to. */
interface InRun {
  readonly kind: RowKind;
  readonly run_id: string | null;
  readonly total: number;
}

/** Rows drawn towards the best of their run, by the share that their kind is drawn: what that adds is `pull`, in nats. */
export function smoothByRun<T extends InRun>(
  rows: readonly T[],
  share: RankingWeights["run"],
): (T & { pull: number })[] {
  const best = new Map<string, number>();
  for (const { run_id, total } of rows)
    if (run_id !== null) best.set(run_id, Math.max(best.get(run_id) ?? Number.NEGATIVE_INFINITY, total));
  return rows.map((row) => {
    const top = (row.run_id === null ? undefined : best.get(row.run_id)) ?? row.total;
    const pull = share[row.kind] * (top - row.total);
    return { ...row, pull, total: row.total + pull };
  });
}
