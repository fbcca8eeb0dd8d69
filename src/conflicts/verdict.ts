import type { Claim, Span } from "../text/claims/claim.ts";

/** One memory as the detector reads it. */
export interface Statement {
  readonly text: string;
  readonly claims: readonly Claim[];
  /** When it was so: `ts_valid_start`, else when it was written; epoch milliseconds. */
  readonly at_ms: number;
}

/** What is measured of a pair beside its texts. */
export interface PairSignals {
  /** 0 to 1: how surely the judge says that the newer text contradicts or replaces the older one; null without a judge. */
  readonly judge: number | null;
  /** Cosine of the two rows' vectors; null while one has none. */
  readonly cosine: number | null;
  /** Entities that both name. */
  readonly shared_entities: number;
}

/** What follows for the older memory. Unsure means `null`: nothing. */
export interface Verdict {
  readonly status: "outdated" | "conflicted";
  /** Name of the rule that decided. */
  readonly rule: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly older_span: Span;
  readonly newer_span: Span;
}
