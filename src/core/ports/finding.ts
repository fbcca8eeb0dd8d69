import type { MemoryStatus } from "../schema/memory.ts";
import type { POSSIBLE } from "../schema/observing/possible-change.ts";
import type { StoredMemory } from "./stored-memory.ts";

/** What the detector makes of the older of two rows where it is sure that it holds no longer. */
export type DemotedStatus = Extract<MemoryStatus, "outdated" | "conflicted">;

/** What a finding makes of the older of two rows; of one that may have changed, nothing. */
export type FoundStatus = DemotedStatus | typeof POSSIBLE;

/** Part of a text, in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Two rows as they were read, and what the detector makes of them. */
export interface NewFinding {
  readonly newer: StoredMemory;
  readonly older: StoredMemory;
  readonly status: FoundStatus;
  readonly rule: string;
  readonly confidence: number;
  /** In words, where more than a rule decided. */
  readonly why: string | null;
  readonly newer_span: TextSpan;
  readonly older_span: TextSpan;
}
