import type { Span } from "../text/claims/claim.ts";
import type { Alignment } from "./align.ts";
import type { Used } from "./chunks.ts";

export type RuleName =
  | "value"
  | "state"
  | "opposite"
  | "kind"
  | "negation"
  | "slot"
  | "habit"
  | "holder"
  | "ended"
  | "replaced"
  | "withdrawn"
  | "exclusive"
  | "judge";

/** What a rule found in two parts that lie side by side. */
export interface Finding {
  readonly rule: RuleName;
  /** The tokens that clash; what else differs counts against the finding. */
  readonly used: Used;
  readonly older_span: Span;
  readonly newer_span: Span;
  /** The newer text says itself that things moved on. */
  readonly moved_on: boolean;
}

/** A rule looks at two parts and says what clashes, if anything. */
export type Rule = (pair: Alignment) => Finding | null;
