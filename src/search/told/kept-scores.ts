import type { SearchCtx } from "../../core/ports/context.ts";
import { keptOfScore } from "../../core/schema/observing/told.ts";
import type { SearchPlan } from "../plan.ts";
import type { ScoredHit } from "../rank.ts";

/** What rows keep of their scores, by their ids: those that hooks told often and that were never used, where the search asks for it. */
export async function keptScores(
  { storage }: SearchCtx,
  { filter, sink_unused }: Pick<SearchPlan, "filter" | "sink_unused">,
  weighed: readonly ScoredHit[],
): Promise<ReadonlyMap<string, number>> {
  if (!sink_unused) return new Map();
  const ids = weighed.map(({ hit }) => hit.memory.id);
  const tellings = await storage.tellings.of(filter.tenant_id, ids);
  return new Map([...tellings].map(([id, telling]) => [id, keptOfScore(telling)]));
}
