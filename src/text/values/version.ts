import { STOP_WORDS } from "../words/terms.ts";
import type { Token } from "../words/tokenize.ts";
import { readNumber } from "./number.ts";
import type { ValueMatch, ValueReader } from "./value.ts";

/** Verbs before a number: what follows is an amount, not the name of a version. */
const BEFORE_AMOUNT =
  /^(?:is|are|was|were|to|from|has|have|had|at|of|than|only|costs?|takes?|needs?|holds?|with|by|in|on|for|and|or|about|until|up|down|reached|reaches|gets?|got|became|becomes|now|equals?|approximately|around|nearly|roughly|below|above|over|under|per|every|after|before|within|exceeds?|allows?|pays?|paid|sold|buy|bought|lost|won|keeps?|employs?|drops?|dropped|rose|fell|weighs?|lasts?|seats|hit|hits|set|another|additional|extra|maximum|minimum|max|min|first|last|next|these|those|all|some|we|they|he|she|i|you|it)$/;
const AFTER_NAME =
  /^(?:instead|already|currently|today|last|next|must|may|needs?|runs?|leaves?|opens?|closes?|starts?|ends?|seats|costs?|holds?|\p{L}+ed)$/u;
const AMOUNT_MARKS: ReadonlySet<string> = new Set(["%", "°", "$", "€", "£", "¥"]);
const WORDS = /^(?:version|release|v|ver)$/;

/** Versions, and numbers that name one of a kind: `v2.4.0`, `18.2.0`, `Postgres 14`, `platform 4`, `ticket 4711`. */
export const readVersion: ValueReader = (tokens, index) => {
  const token = tokens[index];
  if (token?.kind === "version") return reading(token.text.replace(/^v/i, ""), productBefore(tokens, index), index + 1);
  const spelled = spelledLabel(tokens, index);
  if (spelled !== null) return spelled;
  if (token?.kind !== "number" || !/^\d+(?:\.\d+)?$/.test(token.text)) return null;
  const hash = tokens[index - 1]?.text === "#" ? 1 : 0;
  const before = tokens[index - 1 - hash];
  const next = tokens[index + 1];
  if (before?.kind !== "word" || (tokens[index]?.glued === true && hash === 0)) return null;
  if (BEFORE_AMOUNT.test(before.lower) || STOP_WORDS.has(before.lower)) return null;
  if (next !== undefined && !endsPhrase(next)) return null;
  return reading(token.text, productBefore(tokens, index - hash), index + 1);
};

/** Nouns before a number that is their name: "floor seven", "chapter three". */
const NUMBERED =
  /^(?:floor|room|gate|platform|chapter|page|level|phase|step|version|building|track|line|row|part|volume|season|episode|lane|table|terminal|grade|stage|round|unit|suite|tier|apartment|number|section|week|day)$/;

function spelledLabel(tokens: readonly Token[], index: number): ValueMatch | null {
  const before = tokens[index - 1];
  const number =
    tokens[index]?.kind === "word" && NUMBERED.test(before?.lower ?? "") ? readNumber(tokens, index) : null;
  return number && reading(String(number.amount), productBefore(tokens, index), number.to);
}

/** What the version is of; "version" itself says nothing. */
function productBefore(tokens: readonly Token[], index: number): string {
  const before = tokens[index - 1];
  if (before === undefined || before.kind !== "word" || WORDS.test(before.lower) || STOP_WORDS.has(before.lower))
    return "";
  return before.stem;
}

/** A name of one of a kind ends its phrase; before a noun the number is an amount. */
const endsPhrase = (next: Token): boolean =>
  next.kind === "mark"
    ? !AMOUNT_MARKS.has(next.text)
    : !next.glued && (STOP_WORDS.has(next.lower) || AFTER_NAME.test(next.lower));

const reading = (number: string, product: string, to: number): ValueMatch => ({
  value: { kind: "version", key: `${product}${product && " "}${trimmed(number)}`, dimension: product, unit: number },
  to,
});

/** `2.4.0` and `2.4` are the same version. */
const trimmed = (number: string): string => number.replace(/(?:\.0)+$/, "");
