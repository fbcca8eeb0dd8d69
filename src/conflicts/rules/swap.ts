import type { ParsedClause } from "../../text/claims/parse.ts";
import { keySet } from "../../text/lexicon/synonyms.ts";
import type { Rule } from "../rule-match.ts";
import { matchOf } from "../rule-match.ts";

/** Words that set the first of two things before the second. */
const ORDERING = keySet("prefer choose favour merge deploy run come go start happen rank place beat finish");
const BEHIND: ReadonlySet<string> = new Set(["to", "over", "before", "than", "after", "ahead"]);

/** The same two things the other way round: "prefers tea to coffee", "prefers coffee to tea". */
export const swapRule: Rule = (pair) => {
  const { older, newer, shared } = pair;
  if (older.negated || newer.negated) return null;
  if (!older.words.some(({ zone, key }) => zone === "verb" && ORDERING.has(key) && shared.has(key))) return null;
  const first = secondOf(older);
  const second = secondOf(newer);
  if (
    first === undefined ||
    second === undefined ||
    first.preposition !== second.preposition ||
    first.key === second.key
  )
    return null;
  const isSwapped =
    older.words.some(({ key, index }) => key === second.key && index < first.index) &&
    newer.words.some(({ key, index }) => key === first.key && index < second.index);
  return isSwapped
    ? matchOf(pair, "slot", {
        older: [{ from: first.index, to: first.index + 1 }],
        newer: [{ from: second.index, to: second.index + 1 }],
      })
    : null;
};

const secondOf = ({ words }: ParsedClause) =>
  words.findLast(({ zone, preposition }) => zone === "complement" && BEHIND.has(preposition));
