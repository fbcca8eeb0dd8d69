import type { ParsedClause } from "../../text/claims/parse.ts";
import { isCountry } from "../../text/lexicon/countries.ts";
import { MANY, OFTEN_ONE, ONE_AT_A_TIME, UNIQUE_NOUNS } from "../../text/lexicon/uniqueness.ts";
import { DETERMINERS } from "../../text/lexicon/words.ts";
import type { Alignment, Side } from "../align.ts";
import { type Chunk, unmatchedChunks } from "../chunks.ts";
import type { Rule } from "../rule-match.ts";
import { matchOf } from "../rule-match.ts";

/** Prepositions of one kind of place in a statement. */
const WHERE: ReadonlySet<string> = new Set("in at on to into onto near by under inside beside behind".split(" "));
const HOW: ReadonlySet<string> = new Set("with by through via using on in from".split(" "));
const CHANGED_TO: ReadonlySet<string> = new Set([
  "",
  "to",
  "into",
  "in",
  "at",
  "on",
  "for",
  "with",
  "by",
  "through",
  "from",
  "as",
]);

/** Words in the same place of the same statement, where only one thing can stand. */
export const slotRule: Rule = (pair) => {
  if (pair.predicate === "other" || pair.subject === "different" || pair.older.negated || pair.newer.negated)
    return null;
  const left = unmatchedChunks(pair, { older: [], newer: [] });
  for (const older of left.older.filter(isSaid)) {
    const newer = left.newer.find((chunk) => isSaid(chunk) && isSameSlot(pair, older, chunk));
    if (newer === undefined || isWithin(pair, older, newer)) continue;
    const kind = uniqueness(pair, older, newer);
    if (kind !== null) return matchOf(pair, kind, { older: [older], newer: [newer] });
  }
  return null;
};

const isSaid = ({ zone }: Chunk): boolean => zone === "complement";

function isSameSlot({ predicate }: Alignment, older: Chunk, newer: Chunk): boolean {
  if (older.preposition === newer.preposition) return true;
  const both = (set: ReadonlySet<string>) => set.has(older.preposition) && set.has(newer.preposition);
  return predicate === "change" ? both(CHANGED_TO) : both(WHERE) || both(HOW);
}

/** "Is in the drawer" is a place; in "is allergic to nuts" the preposition hangs on another word. */
const hangsOnWord = ({ words, verbs }: ParsedClause, { from, preposition }: Chunk): boolean =>
  words.some((word) => word.index >= verbs.to && word.index < from && word.preposition !== preposition);

type Uniqueness = "slot" | "habit" | null;

/** Whether a subject has but one such thing: surely (`slot`), mostly (`habit`), or not. */
function uniqueness(pair: Alignment, older: Chunk, newer: Chunk): Uniqueness {
  const { predicate, cues } = pair.older;
  if (MANY.has(predicate)) return cues.exclusive || pair.newer.cues.exclusive ? "slot" : null;
  if (ONE_AT_A_TIME.has(predicate)) return "slot";
  if (pair.predicate === "change") return /^(?:to|into|with|as)$/.test(newer.preposition) ? "slot" : null;
  if (/^(?:be|stay|remain)$/.test(predicate)) return ofCopula(pair, older, newer);
  const isSaidAlike = pair.predicate === "same" && older.preposition === newer.preposition;
  return isSaidAlike && (OFTEN_ONE.has(predicate) || older.preposition !== "") ? "habit" : null;
}

/** "The speaker is Mei" names the one; "the car is fast" is one thing of many that it is. */
function ofCopula(pair: Alignment, older: Chunk, newer: Chunk): Uniqueness {
  const isEquation = pair.older.tense === "none" && pair.newer.tense === "none";
  if (older.preposition !== "" && (hangsOnWord(pair.older, older) || !WHERE.has(older.preposition))) return null;
  if (older.preposition !== "" || hasUniqueNoun(pair.older) || hasUniqueNoun(pair.newer) || isEquation) return "slot";
  const isNamed = (chunk: Chunk) => chunk.words.some(({ named }) => named);
  if (isNamed(older) && isNamed(newer)) return "slot";
  return isNounPhrase(pair, "older", older) && isNounPhrase(pair, "newer", newer) ? "habit" : null;
}

const hasUniqueNoun = (part: ParsedClause): boolean =>
  part.words.some(({ key, zone }) => zone === "subject" && UNIQUE_NOUNS.has(key));

const isNounPhrase = (pair: Alignment, side: Side, { from }: Chunk): boolean =>
  DETERMINERS.has(pair[`${side}_text`].tokens[from - 1]?.lower ?? "");

/** A country and something that is none: the one may lie in the other. */
function isWithin(pair: Alignment, older: Chunk, newer: Chunk): boolean {
  const isWide = (side: Side, { words }: Chunk) =>
    words.some(({ index }) => isCountry(pair[`${side}_text`].tokens[index]?.lower ?? ""));
  return isWide("older", older) !== isWide("newer", newer);
}
