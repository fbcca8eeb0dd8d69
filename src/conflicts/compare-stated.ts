import { toTimestamp } from "../core/kernel/clock.ts";
import { createYielder } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import { verdictOfTriples } from "./compare.ts";
import { toFinding } from "./decide.ts";
import type { DetectInput } from "./detect.ts";
import { DETECTOR } from "./detect.ts";
import { isComparable } from "./find-pairs.ts";
import { happenedAt, pairWith, readMemory } from "./pair.ts";
import { statedClaim } from "./triple.ts";

/**
 * Job: compares what callers stated of new rows with what others state of the same, which takes no model and so waits for
 * none. The detector meets these pairs again when it reads the rows, and finds them decided.
 */
export async function compareStated(services: Services, { tenant_id, memory_ids, signal }: DetectInput): Promise<void> {
  const { contradictions } = services.storage;
  const now = toTimestamp(services.clock.now());
  const rows = await contradictions.unchecked(tenant_id, memory_ids, services.embedder.id);
  const yieldIfDue = createYielder();
  for (const row of rows) {
    signal?.throwIfAborted();
    const { memory } = row;
    const claim = statedClaim(memory);
    if (claim === null || !isComparable(row, now)) continue;
    for (const candidate of await contradictions.stated({ memory, claim, happened_at: happenedAt(memory), now })) {
      const pair = pairWith(readMemory(memory), candidate, services.manyValued);
      const verdict = pair && verdictOfTriples(pair);
      if (verdict) await contradictions.put(toFinding(pair, verdict), DETECTOR);
    }
    await yieldIfDue();
  }
}
