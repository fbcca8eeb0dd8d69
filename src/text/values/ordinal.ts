import { STOP_WORDS } from "../words/terms.ts";
import type { ValueMatch, ValueReader } from "./value.ts";

const WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" ");
const ENDING = /^(?:st|nd|rd|th)$/;
/** "First of all", "second hand": no place in a row. */
const NO_ROW = /^(?:hand|opinion|thing|thoughts?|name|class|aid|time|person|half|quarter)$/;

/** Which one of a row: `second floor`, `3rd attempt`. Reads as the name of one of its kind, like `platform 4`. */
export const readOrdinal: ValueReader = (tokens, at) => {
  const token = tokens[at];
  if (token === undefined) return null;
  const word = WORDS.indexOf(token.lower) + 1;
  if (word > 0) return reading(tokens[at + 1], word, at + 1);
  const isDigits = token.kind === "number" && /^\d{1,3}$/.test(token.text) && tokens[at + 1]?.glued === true;
  return isDigits && ENDING.test(tokens[at + 1]?.lower ?? "")
    ? reading(tokens[at + 2], Number(token.text), at + 2)
    : null;
};

function reading(noun: Parameters<ValueReader>[0][number] | undefined, number: number, to: number): ValueMatch | null {
  if (noun?.kind !== "word" || noun.capital || STOP_WORDS.has(noun.lower) || NO_ROW.test(noun.lower)) return null;
  return { value: { kind: "version", key: `${noun.stem} ${number}`, dimension: noun.stem }, to };
}
