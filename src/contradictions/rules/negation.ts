import type { Rule } from "../finding.ts";
import { finding } from "../found.ts";
import { isOfSome } from "../quantity.ts";

const COVERAGE_MIN = 0.7;
/** One says what the other denies, in nearly the same words. */
export const negationRule: Rule = (pair) => {
  if (pair.older.negated === pair.newer.negated) return null;
  const isAbout = pair.predicate !== "other" || pair.coverage === 1;
  if (!isAbout || pair.coverage < COVERAGE_MIN) return null;
  const said = [...pair.older.words, ...pair.newer.words].some(
    ({ key, zone }) => zone !== "subject" && pair.shared.has(key),
  );
  if (isOfSome(pair.older, pair.older_text) || isOfSome(pair.newer, pair.newer_text)) return null;
  return said ? finding(pair, "negation", { older: [], newer: [] }) : null;
};
