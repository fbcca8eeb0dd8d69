import type { ParsedClause, ParsedText } from "../text/claims/parse.ts";
import { predicateSet } from "../text/lexicon/verbs.ts";
import { relate } from "../text/values/relate.ts";
import { isContained, isOtherMeasure, isSamePartOfDay, isSameState, isSameValue } from "./agree.ts";
import type { Alignment } from "./align.ts";
import type { RuleMatch, RuleName } from "./rule-match.ts";

/** Rules of a value that was, is or will be; the others tell of a change themselves. */
const OF_VALUES: ReadonlySet<RuleName> = new Set(["value", "slot", "habit", "kind", "holder", "opposite"]);

/** What the judge takes for a clash although rules can show that it is none. */
export const isAgreement = (pair: Alignment): boolean =>
  isSameValue(pair) ||
  isSameState(pair) ||
  isContained(pair) ||
  isSequence(pair) ||
  isPartly(pair) ||
  isOtherMeasure(pair) ||
  isSamePartOfDay(pair);

/** Of some it is said, of others denied. */
const isPartly = ({ older, newer, older_text, newer_text }: Alignment): boolean =>
  older.negated !== newer.negated && isOfSome(older, older_text) && isOfSome(newer, newer_text);

/** Two things that happened: both stay true, each at its time. */
const isSequence = ({ older, newer, predicate }: Alignment): boolean => {
  const happened = ({ tense }: ParsedClause) => tense === "past";
  const isTimed = ({ values }: ParsedClause) => values.some(({ kind }) => kind === "date" || kind === "time");
  if (!happened(older) || !happened(newer)) return false;
  if (isTimed(older) && isTimed(newer)) return (older.verb !== "" || newer.verb !== "") && isOtherMoment(older, newer);
  return older.verb !== "" && !older.passive && predicate === "other";
};

/** Some date or time of the one is at odds with one of the other. */
const isOtherMoment = (older: ParsedClause, newer: ParsedClause): boolean =>
  older.values.some(
    (one) =>
      (one.kind === "date" || one.kind === "time") && newer.values.some((other) => relate(one, other) === "clash"),
  );

/** A plan to change changes nothing yet, unless a plan is what it changes. */
export const isOnlyPlanned = ({ older, newer }: Alignment, { rule }: RuleMatch): boolean =>
  newer.modality === "planned" &&
  older.modality !== "planned" &&
  rule !== "withdrawn" &&
  rule !== "value" &&
  !newer.cues.change &&
  !newer.cues.correction;

/** "Also", "another": one more, not another one in its place. */
export const isAdded = ({ newer }: Alignment, { rule }: RuleMatch): boolean =>
  newer.cues.addition && OF_VALUES.has(rule) && !newer.changes && !newer.cues.correction;

/** What was and what is: both true, unless the newer text tells of a change or corrects. */
export function isOtherTime({ older, newer }: Alignment, { rule }: RuleMatch): boolean {
  if (rule !== "judge" && isDatedPast(older, newer)) return true;
  // "The bins were not emptied last Friday" denies one time, not the habit.
  const isOnce =
    older.tense === "present" && newer.tense === "past" && newer.values.some(({ kind }) => kind === "date");
  if (rule === "negation") return isOnce && !newer.cues.change;
  if (!OF_VALUES.has(rule) || (newer.cues.correction && !isOnce)) return false;
  return newer.cues.past || older.cues.past || isOtherTense(older, newer);
}

/** Predicates whose past tense tells what still holds: somebody was born, a weight came to so much. */
const FOUND_OUT: ReadonlySet<string> = predicateSet("born come measure weigh total amount read show");

function isOtherTense(older: ParsedClause, newer: ParsedClause): boolean {
  if (older.tense === "past") return newer.tense === "future" || (newer.tense === "present" && !older.passive);
  return newer.tense === "past" && !newer.passive && !newer.changes && !FOUND_OUT.has(newer.predicate);
}

/** "Ten years ago it was 5" stays true, whatever holds now. */
function isDatedPast(older: ParsedClause, newer: ParsedClause): boolean {
  if (older.tense !== "past") return false;
  const dates = (part: ParsedClause) => part.values.filter(({ kind }) => kind === "date");
  return dates(older).some((date) => dates(newer).every((other) => relate(date, other) === "apart"));
}

/** Other dates beside the values that clash: each holds for its own time. */
export function isOtherDate({ older, newer }: Alignment, { used }: RuleMatch): boolean {
  const free = (part: ParsedClause, ranges: RuleMatch["used"]["older"]) =>
    part.values.filter(
      ({ kind, from }) => kind === "date" && !ranges.some((range) => from >= range.from && from < range.to),
    );
  const dates = free(older, used.older);
  const others = free(newer, used.newer);
  return dates.some((date) => others.some((other) => relate(date, other) === "clash"));
}

/** Something that happened beside something that holds: what happened stays true. */
export function isPastEvent({ older, newer }: Alignment): boolean {
  const happened = ({ tense, verb }: ParsedClause) => tense === "past" && verb !== "";
  if (happened(older)) return newer.tense !== "past";
  return happened(newer) && older.tense === "present" && !newer.changes && !newer.passive;
}

const SOME = /^(?:some|most|many|few|several|half|majority|minority|part|often|sometimes|usually|mostly|partly)$/;

/** Whether a part speaks of some of many only: what holds of them may not hold of others. */
export const isOfSome = ({ from, to, values }: ParsedClause, { tokens }: ParsedText): boolean =>
  values.some(({ dimension }) => dimension === "%") || tokens.slice(from, to).some(({ lower }) => SOME.test(lower));
