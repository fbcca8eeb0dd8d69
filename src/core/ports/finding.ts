import type { MemoryStatus } from "../schema/memory.ts";
import type { StoredMemory } from "./stored-memory.ts";

/** What a finding makes of the older of two rows. */
export type DemotedStatus = Extract<MemoryStatus, "outdated" | "conflicted">;

/** Part of a text, in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Two rows as they were read, and what the detector makes of them. */
export interface NewFinding {
  readonly newer: StoredMemory;
  readonly older: StoredMemory;
  readonly status: DemotedStatus;
  readonly rule: string;
  readonly confidence: number;
  readonly newer_span: TextSpan;
  readonly older_span: TextSpan;
}
