import type { JsonObject } from "../kernel/json.ts";

/** What a scan found in a skill. */
export interface ScanFinding {
  readonly code: string;
  readonly severity: "critical" | "warn" | "info";
  readonly message: string;
  /** What is refused at once, whoever writes it. */
  readonly fatal: boolean;
  /** The member of data in which it was found. */
  readonly locator?: string;
  /** Where it stands in the text of that member, in UTF-16 units; left out for what no part of the text shows. */
  readonly start?: number;
  readonly end?: number;
}

export interface ScanReport {
  readonly findings: readonly ScanFinding[];
  readonly critical: number;
  readonly warn: number;
  readonly info: number;
  readonly fatal: boolean;
}

export interface ScanLimits {
  readonly description_max_bytes: number;
  readonly body_max_bytes: number;
}

/** Reads skills away from the thread that answers requests: a large one takes most of a second. */
export interface SkillScanner {
  /** What is wrong with a skill. Throws UNAVAILABLE without a verdict: what was not scanned must not be stored. */
  scan(data: JsonObject, limits: ScanLimits): Promise<ScanReport>;
  close(): void;
}
