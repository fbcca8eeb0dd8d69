import type { ContentWord } from "../text/claims/content-words.ts";
import type { TokenRange } from "../text/claims/lexer.ts";
import type { ParsedClause } from "../text/claims/parse.ts";
import { MANY } from "../text/lexicon/uniqueness.ts";
import { relate } from "../text/values/relate.ts";
import { isSameState } from "./agree.ts";
import type { Alignment } from "./align.ts";
import { unmatchedChunks } from "./chunks.ts";
import { isAdded, isAgreement, isOnlyPlanned, isOtherDate, isOtherTime, isPastEvent } from "./objections.ts";
import type { RuleMatch, RuleName } from "./rule-match.ts";
import type { PairSignals } from "./verdict.ts";
import { JUDGE_LOGIT_MAX, type WEIGHTS } from "./weights.ts";

export type FeatureName = keyof typeof WEIGHTS;
export type Features = Partial<Record<FeatureName, number>>;

const HALF = 0.5;
const COUNT_MAX = 3;

/** What speaks for and against a finding, by name; what is left out is 0. */
export function featuresOf(pair: Alignment, found: RuleMatch, signals: PairSignals): Features {
  const { older, newer } = pair;
  const isJudged = found.rule === "judge";
  const one = (condition: boolean): number => (condition ? 1 : 0);
  return {
    bias: 1,
    [`rule_${found.rule}` satisfies FeatureName]: 1,
    [subjectFeature(pair, found)]: 1,
    [`predicate_${pair.predicate}` satisfies FeatureName]: 1,
    change: one(newer.cues.change || newer.changes),
    correction: one(newer.cues.correction),
    coverage: pair.coverage - HALF,
    beyond_subject: Math.min(COUNT_MAX, sharedBeyondSubject(pair)),
    ...contrastsOf(pair, found),
    other_name: one(isOtherName(pair, found)),
    added: one(isAdded(pair, found)),
    other_time: one(isOtherTime(pair, found)),
    other_date: one(isOtherDate(pair, found) && !(isJudged && older.tense !== "past")),
    only_planned: one(isOnlyPlanned(pair, found)),
    past_event: one(isJudged && isPastEvent(pair)),
    agreement: one(isJudged ? isAgreement(pair) : found.rule === "negation" && isSameState(pair)),
    temporary: one(newer.cues.temporary && !older.cues.temporary),
    list: one(isJudged && isList(pair)),
    nothing_shared: one(isJudged && pair.predicate !== "same" && sharedBeyondSubject(pair) === 0),
    unjudged: one(signals.judge === null),
    ...judgeFeatures(isJudged, judgeLogit(signals.judge)),
  };
}

/** Rules that find their own way from one subject to another. */
const ACROSS_SUBJECTS: ReadonlySet<RuleName> = new Set(["holder", "exclusive", "withdrawn", "replaced", "judge"]);

const subjectFeature = ({ subject }: Alignment, { rule }: RuleMatch): FeatureName =>
  subject === "different" && ACROSS_SUBJECTS.has(rule) ? "subject_across" : `subject_${subject}`;

const sharedBeyondSubject = ({ older, shared }: Alignment): number =>
  new Set(older.words.filter(({ zone, key }) => zone !== "subject" && shared.has(key)).map(({ key }) => key)).size;

/** Other things are said with a verb that takes any number of them. */
function isList({ older, newer, predicate, only_older, only_newer }: Alignment): boolean {
  if (predicate !== "same" || !MANY.has(older.predicate) || older.negated !== newer.negated) return false;
  const isObject = ({ zone, preposition }: ContentWord) => zone === "complement" && preposition === "";
  return only_older.some(isObject) && only_newer.some(isObject);
}

function contrastsOf(pair: Alignment, found: RuleMatch): Features {
  const left = unmatchedChunks(pair, found.used);
  const contrasts = Math.min(left.older.length, left.newer.length);
  const one_sided = Math.max(left.older.length, left.newer.length) - contrasts;
  const value_contrasts = valueContrasts(pair, found);
  return {
    // What the judge sees as a clash is itself a contrast.
    parallel: Math.min(COUNT_MAX, parallelsOf(left, found)),
    contrasts: Math.min(COUNT_MAX, found.rule === "judge" ? Math.max(0, contrasts - 1) : contrasts),
    one_sided: Math.min(COUNT_MAX, one_sided),
    value_contrasts: Math.min(COUNT_MAX, value_contrasts),
  };
}

/** Pairs of what differs in the same place of both: "the order of paper", "the order of bulbs". */
function parallelsOf({ older, newer }: ReturnType<typeof unmatchedChunks>, { rule }: RuleMatch): number {
  if (rule === "judge") return 0;
  return older.filter((one) =>
    newer.some(({ zone, preposition }) => zone === one.zone && preposition === one.preposition && preposition !== ""),
  ).length;
}

/** Beside what clashes each side has a name that the other lacks. */
function isOtherName({ only_older, only_newer }: Alignment, { rule, used }: RuleMatch): boolean {
  if (rule === "judge" || rule === "holder") return false;
  const hasName = (words: Alignment["only_older"], ranges: readonly TokenRange[]) =>
    words.some(({ named, index }) => named && !ranges.some((range) => index >= range.from && index < range.to));
  return hasName(only_older, used.older) && hasName(only_newer, used.newer);
}

/** Values at odds that the finding is not about. */
function valueContrasts({ older, newer }: Alignment, { rule, used }: RuleMatch): number {
  if (rule === "judge") return 0;
  // What ends may do so at any value; only of another one of its kind nothing is said.
  const isChange = rule === "replaced" || rule === "withdrawn" || rule === "ended";
  const free = ({ values }: ParsedClause, ranges: readonly TokenRange[]) =>
    values.filter(
      ({ kind, from }) =>
        (!isChange || kind === "version") && !ranges.some((range) => from >= range.from && from < range.to),
    );
  const others = free(newer, used.newer);
  return free(older, used.older).filter((value) => others.some((other) => relate(value, other) === "clash")).length;
}

/** The judge alone counts as it is; beside a rule its doubts count less than its consent. */
function judgeFeatures(isAlone: boolean, logit: number): Features {
  if (isAlone) return { judge_alone: logit };
  return logit > 0 ? { judge_for: logit } : { judge_against: -logit };
}

/** The judge's log-odds, cut at both ends; nothing without a judge. */
function judgeLogit(score: number | null): number {
  if (score === null) return 0;
  const logit = Math.log(score / (1 - score));
  return Math.max(-JUDGE_LOGIT_MAX, Math.min(JUDGE_LOGIT_MAX, logit));
}
