import type { MemoryFilter } from "../core/ports/memory-filter.ts";
import type { MemoryStatus } from "../core/schema/memory.ts";

/** Statuses of rows that may have held once: what was superseded since, but not what was withdrawn. */
export const HELD_STATUSES: readonly MemoryStatus[] = ["active", "confirmed", "pending", "conflicted", "outdated"];

/** The filter of rows as of a moment: those that held then and had not expired, whatever became of them. */
export const validAt = (valid_at: string): Pick<MemoryFilter, "statuses" | "unexpired_at" | "valid_at"> => ({
  statuses: HELD_STATUSES,
  unexpired_at: valid_at,
  valid_at,
});
