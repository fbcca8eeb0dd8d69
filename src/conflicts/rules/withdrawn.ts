import type { Token } from "../../text/claims/lexer.ts";
import type { ParsedClause } from "../../text/claims/parse.ts";
import { keySet } from "../../text/lexicon/synonyms.ts";
import type { Alignment } from "../align.ts";
import type { Rule } from "../rule-match.ts";
import { matchOf } from "../rule-match.ts";

const CANCEL = keySet(
  "cancel scrap shelve abandon axe abort nix bin ditch drop postpone kill withdraw rescind suspend",
);
const PHRASES = [
  "called off",
  "call off",
  "backed out",
  "back out",
  "pulled out",
  "pull out",
  "fell through",
  "fallen through",
  "decided against",
  "decided not",
  "changed his mind",
  "changed her mind",
  "changed their mind",
  "changed our mind",
  "changed my mind",
  "will not",
  "is not going to",
  "are not going to",
  "am not going to",
  "not happening",
  "not going ahead",
  "off the table",
  "put on hold",
  "on ice",
  "given up",
  "gave up",
  "no plans",
  "did not happen",
  "does not plan",
  "do not plan",
  "no longer plan",
  "out of the question",
  "came to nothing",
  "opted against",
  "turned down",
  "is off",
  "are off",
  "pulled our",
  "pulled the",
  "pulled their",
  "pulled its",
];

/** A plan or an appointment that the newer text takes back. */
export const withdrawnRule: Rule = (pair) => {
  if (!isAhead(pair.older) || pair.older.negated || !takesBack(pair.newer, pair.newer_text.tokens)) return null;
  const topics = pair.newer.words.filter(({ key, zone }) => zone !== "verb" && pair.shared.has(key));
  return topics.length > 0 && isEnough(pair, topics.length)
    ? matchOf(pair, "withdrawn", { older: [], newer: [] })
    : null;
};

/** Something that is still to come: planned, or told in the present with a date or a time. */
const isAhead = ({ modality, tense, values }: ParsedClause): boolean =>
  modality === "planned" ||
  tense === "future" ||
  (tense !== "past" && tense !== "perfect" && values.some(({ kind }) => kind === "date" || kind === "time"));

function takesBack({ from, to, words }: ParsedClause, tokens: readonly Token[]): boolean {
  if (words.some(({ key }) => CANCEL.has(key))) return true;
  const text = tokens
    .slice(from, to)
    .map(({ lower }) => lower)
    .join(" ");
  return PHRASES.some((phrase) => ` ${text} `.includes(` ${phrase} `));
}

/** Shares its subject and more, or all that it is about. */
const isEnough = ({ subject, newer, only_newer }: Alignment, topics: number): boolean => {
  const own = only_newer.filter(({ zone, key }) => zone !== "verb" && !CANCEL.has(key)).length;
  return subject !== "different" ? topics >= 2 || own <= 1 : topics >= 2 && own <= newer.words.length / 2;
};
