import type { Span } from "../text/claims/claim.ts";
import type { Token, TokenRange } from "../text/claims/lexer.ts";
import type { Alignment } from "./align.ts";
import type { MatchedTokens } from "./chunks.ts";

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
export interface RuleMatch {
  readonly rule: RuleName;
  /** The tokens that clash; what else differs counts against the finding. */
  readonly used: MatchedTokens;
  readonly older_span: Span;
  readonly newer_span: Span;
  /** The newer text says itself that things moved on. */
  readonly moved_on: boolean;
}

/** A rule compares two clauses and says what clashes, if anything. */
export type Rule = (pair: Alignment) => RuleMatch | null;

/** Rules that find only what the newer text says has changed. */
const TELLS_CHANGE: ReadonlySet<RuleName> = new Set(["ended", "replaced", "withdrawn", "state"]);

/** Makes the finding of a rule from the tokens that clash. */
export function matchOf(pair: Alignment, rule: RuleName, used: MatchedTokens): RuleMatch {
  return {
    rule,
    used,
    older_span: spanOf(pair.older_text.tokens, used.older[0] ?? pair.older),
    newer_span: spanOf(pair.newer_text.tokens, used.newer[0] ?? pair.newer),
    moved_on: TELLS_CHANGE.has(rule) || pair.newer.cues.change || pair.newer.cues.correction || pair.newer.changes,
  };
}

function spanOf(tokens: readonly Token[], { from, to }: TokenRange): Span {
  const start = tokens[from]?.start ?? 0;
  return { start, end: tokens[Math.max(from, to - 1)]?.end ?? start };
}
