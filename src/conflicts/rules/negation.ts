import { keySet } from "../../text/lexicon/synonyms.ts";
import type { Alignment, Side } from "../align.ts";
import { isOfSome } from "../objections.ts";
import type { Rule } from "../rule-match.ts";
import { matchOf } from "../rule-match.ts";

const COVERAGE_MIN = 0.7;
/** Verbs that deny by themselves: what they are said of may be denied in other words. */
const DENYING = keySet(
  `hate dislike refuse decline avoid scrap cancel stop quit reject deny lose miss lack fail end seek need want await wait search
  look abandon leave drop forbid ban exclude resign cease discontinue kill halt oppose skip`,
);
const WITHOUT = /^(?:without|unable|unwilling|hardly|free|lacking|lack|none|seldom|rarely|until|except)$/;

/** One says what the other denies, in nearly the same words. */
export const negationRule: Rule = (pair) => {
  const { older, newer, coverage, predicate, shared } = pair;
  if (older.negated === newer.negated || coverage < COVERAGE_MIN || predicate === "other") return null;
  const said = [...older.words, ...newer.words].some(({ key, zone }) => zone !== "subject" && shared.has(key));
  if (!said && older.verb !== newer.verb) return null;
  const denied = older.negated ? "older" : "newer";
  const affirmed = older.negated ? "newer" : "older";
  if (isOfSome(older, pair.older_text) || isOfSome(newer, pair.newer_text)) return null;
  if (deniesItself(pair, affirmed) || !isOfShared(pair, denied)) return null;
  return matchOf(pair, "negation", { older: [], newer: [] });
};

/** "Declined", "without": a denial that has no word of negation. */
function deniesItself(pair: Alignment, side: Side): boolean {
  const { words, from, to } = pair[side];
  if (words.some(({ key, zone }) => zone === "verb" && DENYING.has(key) && !pair.shared.has(key))) return true;
  return pair[`${side}_text`].tokens.slice(from, to).some(({ lower }) => WITHOUT.test(lower));
}

/** "No parking" denies parking: the other must speak of that. */
function isOfShared(pair: Alignment, side: Side): boolean {
  const { denials, words } = pair[side];
  const { tokens } = pair[`${side}_text`];
  return denials.every((index) => {
    if (tokens[index]?.lower !== "no" || tokens[index + 1]?.lower === "longer") return true;
    const noun = words.find((word) => word.index > index);
    return noun === undefined || pair.shared.has(noun.key);
  });
}
