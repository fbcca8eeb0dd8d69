import type { MemoryFilter, TimeSpan } from "../core/ports/memory-filter.ts";
import { firstMoment, lastMoment } from "../core/schema/common.ts";
import type { MemoryStatus } from "../core/schema/memory.ts";

/** Statuses of rows that may have held once: what was superseded since, but not what was withdrawn. */
export const HELD_STATUSES: readonly MemoryStatus[] = ["active", "confirmed", "pending", "conflicted", "outdated"];

/**
 * The filter of rows as of a moment: those that held then and had not expired, whatever became of them. A day is asked about as
 * it was at its end, but what ended in the course of it is there, too.
 */
export function validAt(
  moment: string,
  offset?: number | null,
): Pick<MemoryFilter, "statuses" | "unexpired_at" | "valid_at" | "valid_since"> {
  const [from, until] = [firstMoment(moment, offset), lastMoment(moment, offset)];
  return {
    statuses: HELD_STATUSES,
    unexpired_at: from,
    valid_at: until,
    ...(from === until ? {} : { valid_since: from }),
  };
}

interface Window {
  readonly happened_from?: string | null | undefined;
  readonly happened_to?: string | null | undefined;
  readonly utc_offset_minutes?: number | null | undefined;
}

/** The time in which rows must have happened, where a request names any. */
export function happenedIn({ happened_from, happened_to, utc_offset_minutes }: Window): TimeSpan | undefined {
  if (happened_from == null && happened_to == null) return undefined;
  return {
    from: firstMoment(happened_from ?? undefined, utc_offset_minutes),
    until: lastMoment(happened_to ?? undefined, utc_offset_minutes),
  };
}
