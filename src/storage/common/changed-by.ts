import type { Clock } from "../../core/kernel/clock.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { Actor } from "../../core/ports/memory-store.ts";

/** Who changes rows, and when. */
export interface ChangedBy {
  readonly actor: Actor;
  /** A timestamp, and the same moment in epoch milliseconds. */
  readonly now: string;
  readonly nowMs: number;
}

/** A change that is made now. */
export const changedBy = (clock: Clock, actor: Actor): ChangedBy => {
  const nowMs = clock.now();
  return { actor, now: toTimestamp(nowMs), nowMs };
};
