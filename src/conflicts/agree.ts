import type { Span } from "../text/claims/claim.ts";
import type { ParsedClause, ParsedText } from "../text/claims/parse.ts";
import { positionOf } from "../text/claims/parse.ts";
import { areOtherScopes } from "../text/lexicon/scopes.ts";
import type { State } from "../text/lexicon/states.ts";
import { relate } from "../text/values/relate.ts";
import type { Alignment } from "./align.ts";
import { unmatchedChunks } from "./chunks.ts";

/** Prepositions of what a statement holds for. */
const SCOPE_PREPOSITIONS: ReadonlySet<string> = new Set([
  "for",
  "in",
  "on",
  "at",
  "during",
  "under",
  "with",
  "of",
  "from",
  "to",
]);

/** Whether two parts speak of different sides of one thing: staging and production, adults and children. */
export function isOtherScope({ only_older, only_newer, older, newer }: Alignment): boolean {
  const inSubject = (part: ParsedClause, index: number) => index < part.verbs.from;
  return only_older.some((one) =>
    only_newer.some(
      (other) =>
        areOtherScopes(one.key, other.key) &&
        (inSubject(older, one.index) || inSubject(newer, other.index)) &&
        [one, other].every(({ zone, preposition }) => zone === "subject" || SCOPE_PREPOSITIONS.has(preposition)),
    ),
  );
}

/** Whether both give the same value in other words, and nothing that is at odds: then they say the same. */
export function isSameValue({ older, newer, older_text, newer_text }: Alignment): boolean {
  if (older.negated !== newer.negated) return false;
  let same = false;
  for (const one of older.values) {
    for (const other of newer.values) {
      const relation = relate(one, other);
      if (relation === "clash") return false;
      // The same words for a value say only that both have it.
      same ||= relation !== "apart" && textOf(older_text, one) !== textOf(newer_text, other);
    }
  }
  return same;
}

const textOf = ({ text }: ParsedText, { start, end }: Span): string =>
  text
    .slice(start, end)
    .toLowerCase()
    .replace(/['\u2019]s$/, "");

/** Whether both name the same state in other words ("declined", "turned down") and differ in nothing else. */
export function isSameState(pair: Alignment): boolean {
  const { older, newer, shared } = pair;
  const isOwn = (part: ParsedClause, { from, to }: State) =>
    part.words.some(({ index, key }) => index >= from && index < to && !shared.has(key)) || part.negated;
  for (const one of older.states) {
    for (const other of newer.states) {
      if (other.group !== one.group || one.group_class === "kind" || !isOwn(older, one) || !isOwn(newer, other))
        continue;
      const position = positionOf(older, one);
      if (position === null || position !== positionOf(newer, other)) continue;
      const left = unmatchedChunks(pair, { older: [one], newer: [other] });
      if (left.older.length === 0 || left.newer.length === 0) return true;
    }
  }
  return false;
}

/** Whether one says all that the other does, and more of the same. */
export function isContained({ older, newer, only_older, only_newer, predicate }: Alignment): boolean {
  if (older.negated !== newer.negated || newer.changes || predicate === "other") return false;
  if ([newer.cues.change, newer.cues.correction, newer.cues.exclusive, older.cues.exclusive].some(Boolean))
    return false;
  if (only_older.length === 0 && isTold(older, newer)) return true;
  return only_newer.length === 0 && isTold(newer, older);
}

/** Whether each value of a part is also one of another, in any form. */
const isTold = (part: ParsedClause, other: ParsedClause): boolean =>
  part.values.every((value) => other.values.some((told) => ["equal", "compatible"].includes(relate(value, told))));

/** Predicates of which each measures something else. */
const MEASURES: ReadonlySet<string> = new Set(["starts", "ends", "arrives", "lasts", "costs", "weighs", "born"]);

/** Whether both give measures of the subject, but of two things of it: its weight and its height, its start and its end. */
export function isOtherMeasure({ older, newer }: Alignment): boolean {
  if (older.values.length === 0 || newer.values.length === 0 || newer.changes) return false;
  if (older.predicate !== newer.predicate && MEASURES.has(older.predicate) && MEASURES.has(newer.predicate))
    return true;
  const isMeasure = ({ kind, dimension }: ParsedClause["values"][number]) =>
    /^(?:number|money|duration)$/.test(kind) && dimension !== "";
  const [one, other] = [older.values.filter(isMeasure), newer.values.filter(isMeasure)];
  return (
    one.length > 0 &&
    other.length > 0 &&
    one.every((value) => other.every((second) => relate(value, second) === "apart"))
  );
}

/** Parts of the day, in minutes since midnight. */
const DAY_PARTS: Readonly<Record<string, readonly [from: number, to: number]>> = {
  morning: [240, 720],
  noon: [690, 810],
  afternoon: [720, 1110],
  evening: [1020, 1440],
  night: [1200, 1740],
};
const DAY_MIN = 1440;

/** Whether one names a time of day and the other the part of the day that it lies in. */
export function isSamePartOfDay({ older, newer, older_text, newer_text }: Alignment): boolean {
  const isIn = (part: ParsedClause, { tokens }: ParsedText, { values }: ParsedClause): boolean => {
    const range = tokens
      .slice(part.from, part.to)
      .map(({ lower }) => DAY_PARTS[lower])
      .find((found) => found !== undefined);
    const times = values.filter(({ kind }) => kind === "time").map(({ amount = 0 }) => amount);
    if (range === undefined || times.length === 0) return false;
    const [from, to] = range;
    return times.every((time) => (time >= from && time <= to) || time + DAY_MIN <= to);
  };
  return isIn(older, older_text, newer) || isIn(newer, newer_text, older);
}

const UNSURE: ReadonlySet<ParsedClause["modality"]> = new Set(["asked", "supposed", "reported"]);

/** Whether two parts cannot clash at all: one asks, supposes or quotes, or they speak of two sides of a thing. */
export const isVetoed = (pair: Alignment): boolean =>
  UNSURE.has(pair.older.modality) || UNSURE.has(pair.newer.modality) || isOtherScope(pair);
