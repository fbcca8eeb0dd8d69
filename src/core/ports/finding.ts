import type { MemoryStatus } from "../schema/memory.ts";
import type { StoredMemory } from "./stored-memory.ts";

/** What the detector makes of the older of two rows where it is sure that it holds no longer. */
export type DemotedStatus = Extract<MemoryStatus, "outdated" | "conflicted">;

/** The same where that is merely likely, or true of a part: both rows stay as they are, and people are told. */
export const POSSIBLE = "possible";
/** Name of the rule by which only a part of the older text has changed. */
export const PART = "part";
/** What a finding makes of the older of two rows. */
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
