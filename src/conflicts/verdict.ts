import type { DemotedStatus, TextSpan } from "../core/ports/contradiction-store.ts";

/** What follows for the older memory. Unsure means `null`: nothing. */
export interface Verdict {
  readonly status: DemotedStatus;
  /** Name of the rule that decided. */
  readonly rule: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** What clashes, in each text. */
  readonly older: TextSpan;
  readonly newer: TextSpan;
}
