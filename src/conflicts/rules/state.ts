import { isHabit } from "../../text/claims/habit.ts";
import type { ParsedClause } from "../../text/claims/parse.ts";
import { positionOf } from "../../text/claims/parse.ts";
import type { State } from "../../text/lexicon/states.ts";
import { predicateSet } from "../../text/lexicon/verbs.ts";
import type { Alignment } from "../align.ts";
import type { Rule, RuleMatch, RuleName } from "../rule-match.ts";
import { matchOf } from "../rule-match.ts";

const RULES: Record<State["group_class"], RuleName> = { ladder: "state", opposite: "opposite", kind: "kind" };
const STRENGTH_ORDER = ["ladder", "opposite", "kind"] as const;

/** Two states of one group that cannot hold together, or words that deny each other by their form. */
export const stateRule: Rule = (pair) => {
  for (const group_class of STRENGTH_ORDER) {
    const found = clashOf(pair, group_class);
    if (found) return found;
  }
  return prefixClash(pair);
};

function clashOf(pair: Alignment, group_class: State["group_class"]): RuleMatch | null {
  for (const older of pair.older.states) {
    if (older.group_class !== group_class || isInSubject(pair.older, older)) continue;
    for (const newer of pair.newer.states) {
      if (newer.group !== older.group || isInSubject(pair.newer, newer)) continue;
      if (!isOpposed(pair, older, newer) || !isSaidAlike(pair, older, newer)) continue;
      return matchOf(pair, RULES[group_class], { older: [older], newer: [newer] });
    }
  }
  return null;
}

const isInSubject = ({ subject, values }: ParsedClause, { from }: State): boolean =>
  (from >= subject.from && from < subject.to) || values.some(({ kind, to }) => kind === "number" && to === from);

function isOpposed(pair: Alignment, older: State, newer: State): boolean {
  const a = positionOf(pair.older, older);
  const b = positionOf(pair.newer, newer);
  // A text that names both positions tells of the way from one to the other.
  const names = (part: ParsedClause, position: number) =>
    part.states.some((state) => state.group === older.group && state.position === position);
  return (
    a !== null &&
    b !== null &&
    a !== b &&
    !names(pair.older, newer.position) &&
    (a === older.position ? !(names(pair.newer, older.position) && b !== newer.position) : true)
  );
}

/** Kinds clash only where the same is said with them; events of the past both stay true. */
function isSaidAlike(pair: Alignment, older: State, newer: State): boolean {
  const { older: a, newer: b } = pair;
  if (
    older.group_class === "kind" &&
    TAKES_MANY.has(a.predicate) &&
    !b.cues.change &&
    !a.cues.exclusive &&
    !b.cues.exclusive
  )
    return false;
  const isExclusive = a.cues.exclusive || b.cues.exclusive;
  if (older.group_class === "kind")
    return isExclusive || (pair.predicate !== "other" && prepositionOf(a, older) === prepositionOf(b, newer));
  if (older.group_class === "opposite") return true;
  if (isHabit(pair.older_text.tokens, a, older) || isHabit(pair.newer_text.tokens, b, newer)) return false;
  return !(a.tense === "past" && !a.passive && a.verb !== "");
}

/** Verbs that take several of one kind at a time. */
const TAKES_MANY = predicateSet(
  "speaks plays likes dislikes eats drinks wears allows include visit read sell collect grow teaches learn know cook hear",
);

const prepositionOf = (part: ParsedClause, { from, to }: State): string =>
  part.words.find(({ index }) => index >= from && index < to)?.preposition ?? "";

const PREFIX = /^(?:un|in|im|ir|il|dis|non|de)/;
const STEM_MIN = 4;

/** "Reliable" and "unreliable", "load" and "unload": the same word with and without a denying prefix. */
function prefixClash(pair: Alignment): RuleMatch | null {
  if (pair.older.negated !== pair.newer.negated) return null;
  for (const older of pair.only_older) {
    const newer = pair.only_newer.find(({ key }) => denies(key, older.key) || denies(older.key, key));
    if (newer && older.zone !== "subject") {
      return matchOf(pair, "opposite", {
        older: [{ from: older.index, to: older.index + 1 }],
        newer: [{ from: newer.index, to: newer.index + 1 }],
      });
    }
  }
  return null;
}

const denies = (long: string, short: string): boolean =>
  short.length >= STEM_MIN && long.endsWith(short) && long.length > short.length && long.replace(PREFIX, "") === short;
