import { type Part, type Reading, readText } from "../claims/reading.ts";
import { type Alignment, align, hasOtherLabel } from "./align.ts";
import { type Features, featuresOf } from "./features.ts";
import type { Finding, Rule } from "./finding.ts";
import { endedRule, replacedRule } from "./rules/change.ts";
import { exclusiveRule } from "./rules/exclusive.ts";
import { holderRule } from "./rules/holder.ts";
import { judgeRule } from "./rules/judge.ts";
import { negationRule } from "./rules/negation.ts";
import { slotRule } from "./rules/slot.ts";
import { stateRule } from "./rules/state.ts";
import { swapRule } from "./rules/swap.ts";
import { valueRule } from "./rules/value.ts";
import { withdrawnRule } from "./rules/withdrawn.ts";
import { confidenceOf } from "./score.ts";
import type { PairSignals, Statement, Verdict } from "./verdict.ts";
import { isVetoed } from "./vetoes.ts";
import { CONFIDENCE_MIN } from "./weights.ts";

const RULES: readonly Rule[] = [
  replacedRule,
  valueRule,
  stateRule,
  negationRule,
  withdrawnRule,
  holderRule,
  slotRule,
  swapRule,
  endedRule,
  exclusiveRule,
];
/** Older statements are true no longer when they are this much older; within it neither is clearly the later. */
const LATER_MS = 86_400_000;

/** What two parts of two texts amount to. */
interface Judged {
  readonly found: Finding;
  readonly confidence: number;
}

/** Decides whether a newer statement replaces or contradicts an older one; null when it does not, or when unsure. */
export function comparePair(older: Statement, newer: Statement, signals: PairSignals): Verdict | null {
  const best = bestOf(readingOf(older), readingOf(newer), signals);
  if (best === null || best.confidence < CONFIDENCE_MIN) return null;
  const { rule, older_span, newer_span, moved_on } = best.found;
  const isLater = moved_on || newer.at - older.at >= LATER_MS;
  return { status: isLater ? "outdated" : "conflicted", rule, confidence: best.confidence, older_span, newer_span };
}

/** One statement is compared with many: its reading is kept as long as it is. */
const readings = new WeakMap<Statement, Reading>();

function readingOf(statement: Statement): Reading {
  const known = readings.get(statement);
  if (known) return known;
  const reading = readText(statement.text, statement.at);
  readings.set(statement, reading);
  return reading;
}

function bestOf(older: Reading, newer: Reading, signals: PairSignals): Judged | null {
  let best: Judged | null = null;
  for (const judged of candidates(older, newer, signals)) {
    if (best === null || judged.confidence > best.confidence) best = judged;
  }
  return best;
}

/** Every finding of every rule in every two parts that share a word, with what speaks for and against it. */
export function* candidates(
  older: Reading,
  newer: Reading,
  signals: PairSignals,
): Generator<Judged & { readonly features: Features }> {
  const [first, second] = [older.parts[0], newer.parts[0]];
  if (first && second && hasOtherLabel(first, second)) return;
  for (const one of older.parts) {
    for (const other of newer.parts) {
      if (!sharesWord(one, other)) continue;
      const pair = align(older, one, newer, other);
      if (isVetoed(pair)) continue;
      for (const rule of [...RULES, (laid: Alignment) => judgeRule(laid, signals)]) {
        const found = rule(pair);
        if (found === null) continue;
        const features = featuresOf(pair, found, signals);
        yield { found, features, confidence: confidenceOf(features) };
      }
    }
  }
}

const sharesWord = (one: Part, other: Part): boolean =>
  one.words.some(({ key }) => other.words.some((word) => word.key === key));
