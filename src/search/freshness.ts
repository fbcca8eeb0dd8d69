import { DAY_MS } from "../core/kernel/clock.ts";
import type { HitMemory } from "../core/ports/hits.ts";
import type { MemoryType } from "../core/schema/memory.ts";

/** Days in which a type loses its freshness. */
export const DECAY_DAYS: Readonly<Record<MemoryType, number>> = {
  fact: 120,
  episode: 45,
  decision: 180,
  preference: 365,
  task: 30,
  semantic: 120,
  intention: 60,
  plan: 60,
  commitment: 120,
  action: 30,
  outcome: 90,
  cancellation: 14,
  rule: 365,
  insight: 90,
};

type Dated = Pick<HitMemory, "memory_type" | "created_at" | "ts_valid_start" | "ts_valid_end">;

/**
 * 1 for a row of now or of later, falling to 0 over its type's time of decay; a row with an end is fresh up to it and not
 * after it.
 */
export function freshnessOf({ memory_type, created_at, ts_valid_start, ts_valid_end }: Dated, now: number): number {
  if (ts_valid_end !== null) return Date.parse(ts_valid_end) < now ? 0 : 1;
  const since = Math.max(Date.parse(created_at), ts_valid_start === null ? 0 : Date.parse(ts_valid_start));
  const age = Math.max(0, now - since);
  return Math.max(0, 1 - age / (DECAY_DAYS[memory_type] * DAY_MS));
}

/** Days from the newest row at which a row is no longer recent beside it. */
const RECENT_WITHIN_DAYS = 365;

/** When a row was so, as far as it lies in the past: what is yet to come is as new as its writing. */
export function eventTime({ created_at, ts_valid_start }: HitMemory, now: number): number {
  const start = ts_valid_start === null ? Number.POSITIVE_INFINITY : Date.parse(ts_valid_start);
  return start <= now ? start : Date.parse(created_at);
}

/** 1 for the newest row, 0 for one of a year before it; the first days count most. */
export function recencyOf(time_ms: number, newest: number): number {
  const days = Math.max(0, newest - time_ms) / DAY_MS;
  return Math.max(0, 1 - Math.log1p(days) / Math.log1p(RECENT_WITHIN_DAYS));
}
