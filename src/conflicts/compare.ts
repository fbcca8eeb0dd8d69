import { type ParsedClause, type ParsedText, parseText } from "../text/claims/parse.ts";
import { isVetoed } from "./agree.ts";
import { type Alignment, align, hasOtherLabel } from "./align.ts";
import { type Features, featuresOf } from "./features.ts";
import type { Rule, RuleMatch } from "./rule-match.ts";
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
import type { PairSignals, Statement, Verdict } from "./verdict.ts";
import { CONFIDENCE_MIN, WEIGHTS } from "./weights.ts";

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

/** What a rule found in two parts of two texts, and what it is worth. */
export interface ScoredMatch {
  readonly found: RuleMatch;
  readonly features: Features;
  readonly confidence: number;
}

/** Decides whether a newer statement replaces or contradicts an older one; null when it does not, or when unsure. */
export function comparePair(older: Statement, newer: Statement, signals: PairSignals): Verdict | null {
  const best = bestOf(readingOf(older), readingOf(newer), signals);
  if (best === null || best.confidence < CONFIDENCE_MIN) return null;
  const { rule, older_span, newer_span, moved_on } = best.found;
  const isLater = moved_on || newer.at_ms - older.at_ms >= LATER_MS;
  return { status: isLater ? "outdated" : "conflicted", rule, confidence: best.confidence, older_span, newer_span };
}

/** One statement is compared with many: its reading is kept as long as it is. */
const readings = new WeakMap<Statement, ParsedText>();

function readingOf(statement: Statement): ParsedText {
  const known = readings.get(statement);
  if (known) return known;
  const reading = parseText(statement.text, statement.at_ms);
  readings.set(statement, reading);
  return reading;
}

function bestOf(older: ParsedText, newer: ParsedText, signals: PairSignals): ScoredMatch | null {
  let best: ScoredMatch | null = null;
  for (const candidate of scoredMatches(older, newer, signals)) {
    if (best === null || candidate.confidence > best.confidence) best = candidate;
  }
  return best;
}

/** Every finding of every rule in every two parts that share a word, with what speaks for and against it. */
export function scoredMatches(older: ParsedText, newer: ParsedText, signals: PairSignals): ScoredMatch[] {
  const [first, second] = [older.parts[0], newer.parts[0]];
  if (first && second && hasOtherLabel(first, second)) return [];
  // What both say, word for word, clashes with nothing.
  const [told, retold] = [textsOf(older), textsOf(newer)];
  const said = older.parts.filter((_, i) => !retold.includes(told[i] ?? ""));
  const others = newer.parts.filter((_, i) => !told.includes(retold[i] ?? ""));
  return said.flatMap((one) =>
    others.flatMap((other) => {
      if (!sharesWord(one, other)) return [];
      const pair = align(older, one, newer, other);
      return isVetoed(pair) ? [] : candidatesOf(pair, signals);
    }),
  );
}

/** The words of each part, without marks and capitals. */
const textsOf = ({ tokens, parts }: ParsedText): string[] =>
  parts.map(({ from, to }) => {
    let text = "";
    for (let index = from; index < to; index++) if (tokens[index]?.kind !== "mark") text += ` ${tokens[index]?.lower}`;
    return text;
  });

function candidatesOf(pair: Alignment, signals: PairSignals): ScoredMatch[] {
  const found = [...RULES.map((rule) => rule(pair)), judgeRule(pair, signals)];
  return found.flatMap((finding) => {
    if (finding === null) return [];
    const features = featuresOf(pair, finding, signals);
    return [{ found: finding, features, confidence: confidenceOf(features) }];
  });
}

const sharesWord = (one: ParsedClause, other: ParsedClause): boolean =>
  one.words.some(({ key }) => other.words.some((word) => word.key === key));

/** How likely a finding with these features is a clash, 0 to 1. */
export function confidenceOf(features: Features): number {
  let logit = 0;
  for (const [name, value] of Object.entries(features)) logit += value * (WEIGHTS[name as keyof typeof WEIGHTS] ?? 0);
  return 1 / (1 + Math.exp(-logit));
}
