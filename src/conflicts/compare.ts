import type { FoundStatus } from "../core/ports/finding.ts";
import type { Judgement } from "../core/ports/judge.ts";
import { PART, POSSIBLE } from "../core/schema/observing/possible-change.ts";
import type { ClashingSpans } from "./clashing-spans.ts";
import { clashingSpans } from "./clashing-spans.ts";
import { certaintyOf, POSSIBLE_MIN, RETIRED_MIN, reasonsOf } from "./decision.ts";
import type { Pair } from "./pair.ts";
import { clashByValue } from "./plain-values.ts";
import { signalsOf } from "./signals.ts";

/** What follows for the older memory: its status, by which rule and how surely, and what clashes. Unsure means `null`: nothing. */
export interface Verdict extends ClashingSpans {
  readonly status: FoundStatus;
  readonly rule: string;
  readonly confidence: number;
  readonly why: string | null;
}

/** How surely values in the same words clash where no judge can be asked. */
const BY_VALUE = 0.8;
/**
 * However near two texts are: what the judge takes for well compatible is no conflict, and nothing is over that it does not hold
 * for a clash itself. By certainty alone one of five pairs that are alike and stand would be taken for a change.
 */
const COMPATIBLE_MAX = 0.1;
const CLASH_MIN = 0.6;
/**
 * From this score of the judge on that nothing of the older text still holds a change is one of the whole. Low: in stores it tells
 * whole from part less well than in pairs (AUC .65 of .95), and half of the whole changes score less than .5.
 */
const WHOLE_MIN = 0.1;
/** From this score on the newer text says that things moved on, or corrects the older one. */
const REPLACED_MIN = 0.5;
/** Of statements this far apart in time the later one holds; within it neither is clearly the later. */
const LATER_MS = 86_400_000;

/** What follows from what callers stated: their word counts, whatever the texts say. Null where nothing clashes. */
export function verdictOfTriples({ older, newer, stated }: Pair): Verdict | null {
  if (stated !== "clash") return null;
  const spans = clashingSpans(older.memory.content, newer.memory.content);
  return { status: "outdated", rule: "rdf_conflict", confidence: 1, why: null, ...spans };
}

/**
 * Decides whether the newer text of a pair replaces or contradicts the older one: by what the judge and other signals make of
 * it, or, while there is no judge, by values in the same words. What is merely likely, or a change of a part, is possible. Null
 * when it is neither.
 */
export function compareTexts(pair: Pair, judged: Judgement | null): Verdict | null {
  const { older, newer } = pair;
  const texts = [older.memory.content, newer.memory.content] as const;
  const isLater = newer.at_ms - older.at_ms >= LATER_MS;
  if (judged === null) {
    const spans = clashByValue(...texts, [older.at_ms, newer.at_ms]);
    return (
      spans && { status: isLater ? "outdated" : "conflicted", rule: "value", confidence: BY_VALUE, why: null, ...spans }
    );
  }
  if (judged.clash < COMPATIBLE_MAX) return null;
  const signals = signalsOf(pair, judged);
  const confidence = certaintyOf(signals);
  if (!(confidence >= POSSIBLE_MIN)) return null;
  const found = { confidence, why: reasonsOf(signals), ...clashingSpans(...texts) };
  if (judged.whole < WHOLE_MIN) return { status: POSSIBLE, rule: PART, ...found };
  if (confidence < RETIRED_MIN || judged.clash < CLASH_MIN) return { status: POSSIBLE, rule: "judge", ...found };
  const status = isLater || judged.replaced >= REPLACED_MIN ? "outdated" : "conflicted";
  return { status, rule: "judge", ...found };
}
