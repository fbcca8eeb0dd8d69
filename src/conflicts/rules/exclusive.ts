import type { ContentWord } from "../../text/claims/content-words.ts";
import type { Token, TokenRange } from "../../text/claims/lexer.ts";
import type { ParsedClause } from "../../text/claims/parse.ts";
import type { Alignment, Side } from "../align.ts";
import type { Rule } from "../rule-match.ts";
import { matchOf } from "../rule-match.ts";

const ALL =
  /^(?:all|every|everyone|everybody|each|anyone|anybody|always|any|everything|both|anything|anytime|anywhere)$/;
const NOT_ALL = /^(?:some|few|several|sometimes|many|most|someone|somebody|certain|part|rarely|seldom)$/;
const NONE = /^(?:nobody|none|never|nothing)$/;
const COVERAGE_MIN = 0.6;
const SHARED_MIN = 2;

type Amount = "all" | "only" | "some_not" | "some" | "none" | null;

const CLASHES: ReadonlySet<string> = new Set([
  "all only",
  "only all",
  "all some_not",
  "some_not all",
  "all none",
  "none all",
  "none some",
  "some none",
]);

/** "Only admins may" and "anyone may"; "all have" and "some have not". */
export const exclusiveRule: Rule = (pair) => {
  if (isSomebodyElse(pair))
    return matchOf(pair, "exclusive", { older: rangesOf(pair.only_older), newer: rangesOf(pair.only_newer) });
  if (isSomebody(pair)) return matchOf(pair, "exclusive", { older: [], newer: [] });
  const [older, newer] = [amountOf(pair, "older"), amountOf(pair, "newer")];
  if (older === null || newer === null || !CLASHES.has(`${older} ${newer}`)) return null;
  if (pair.coverage < COVERAGE_MIN || pair.predicate === "other") return null;
  return matchOf(pair, "exclusive", { older: [], newer: [] });
};

const rangesOf = (words: readonly ContentWord[]): TokenRange[] =>
  words.map(({ index }) => ({ from: index, to: index + 1 }));

/** "Mei is the only one with a key", "Tomas has a key as well". */
function isSomebodyElse({ older, newer, only_older, only_newer, coverage }: Alignment): boolean {
  if (!older.cues.exclusive || older.negated !== newer.negated || coverage < COVERAGE_MIN) return false;
  const isName = ({ zone, named }: ContentWord) => zone === "subject" || named;
  return only_older.some(isName) && only_newer.length > 0 && only_newer.every(isName) && newer.cues.addition;
}

/** "Nobody has a key yet", "Tomas was given a key". */
function isSomebody(pair: Alignment): boolean {
  const { older, newer, older_text, shared } = pair;
  if (newer.negated || newer.modality !== "asserted" || shared.size < SHARED_MIN) return false;
  const words = older_text.tokens.slice(older.from, older.to).map(({ lower }) => lower);
  const isNobody = /^(?:nobody|none)$/.test(words[0] ?? "") || (words[0] === "no" && words[1] === "one");
  if (newer.verb === "" || newer.predicate === "be") return false;
  return isNobody && newer.words.some(({ zone, key }) => zone === "subject" && !shared.has(key));
}

/** Of how many a part says what it says. */
function amountOf(pair: Alignment, side: Side): Amount {
  const part: ParsedClause = pair[side];
  const words = pair[`${side}_text`].tokens.slice(part.from, part.to);
  if (/^(?:nobody|none|nothing)$/.test(words[0]?.lower ?? "") && words[1]?.lower === "but") return "only";
  if (words.some(({ lower }) => NONE.test(lower)) || isNoSubject(words)) return "none";
  if (/^(?:only|just|solely)$/.test(words[0]?.lower ?? "")) return "only";
  const isSome = words.some(({ lower }) => NOT_ALL.test(lower));
  const isAll = words.some(({ lower }) => ALL.test(lower));
  if (isAll && part.negated) return "some_not";
  if (isSome) return part.negated ? "some_not" : "some";
  return isAll ? "all" : null;
}

const isNoSubject = (words: readonly Token[]): boolean => words[0]?.lower === "no" && words[1]?.lower !== "longer";
