import type { DemotedStatus } from "../core/ports/finding.ts";
import type { Judgement } from "../core/ports/judge.ts";
import type { ClashingSpans } from "./clashing-spans.ts";
import { clashingSpans, differInOnePlace } from "./clashing-spans.ts";
import type { Pair } from "./pair.ts";
import { clashByValue } from "./plain-values.ts";

/** What follows for the older memory: its status, by which rule and how surely, and what clashes. Unsure means `null`: nothing. */
export interface Verdict extends ClashingSpans {
  readonly status: DemotedStatus;
  readonly rule: string;
  readonly confidence: number;
}

/**
 * From this score of the judge on a pair is flagged. Chosen for few false alarms, since a wrong demotion hides a memory: of the
 * pairs kept from training (`scripts/judge/pairs-held-out.jsonl`, `pairs-unseen.jsonl`) that do not clash it flags 3.6 and 3.1 %.
 */
export const CLASH_MIN = 0.96;
/** The same where both texts differ in one place only, which speaks for a clash by itself. */
const ONE_PLACE_CLASH_MIN = 0.8;
/** From this score on the newer text says that things moved on, or corrects the older one. */
const REPLACED_MIN = 0.5;
/** Of statements this far apart in time the later one holds; within it neither is clearly the later. */
const LATER_MS = 86_400_000;

/** What follows from what callers stated: their word counts, whatever the texts say. Null where nothing clashes. */
export function verdictOfTriples({ older, newer, stated }: Pair): Verdict | null {
  if (stated !== "clash") return null;
  const spans = clashingSpans(older.memory.content, newer.memory.content);
  return { status: "outdated", rule: "rdf_conflict", confidence: 1, ...spans };
}

/**
 * Decides whether the newer text of a pair replaces or contradicts the older one: by the judge, or, while there is none, by
 * values in the same words. Null when it does not, or when unsure.
 */
export function compareTexts({ older, newer }: Pair, judged: Judgement | null): Verdict | null {
  const texts = [older.memory.content, newer.memory.content] as const;
  const isLater = newer.at_ms - older.at_ms >= LATER_MS;
  if (judged === null) {
    const spans = clashByValue(...texts, [older.at_ms, newer.at_ms]);
    return (
      spans && { status: isLater ? "outdated" : "conflicted", rule: "value", confidence: ONE_PLACE_CLASH_MIN, ...spans }
    );
  }
  const least = differInOnePlace(...texts) ? ONE_PLACE_CLASH_MIN : CLASH_MIN;
  if (!(judged.clash >= least)) return null;
  const status = isLater || judged.replaced >= REPLACED_MIN ? "outdated" : "conflicted";
  return { status, rule: "judge", confidence: judged.clash, ...clashingSpans(...texts) };
}
