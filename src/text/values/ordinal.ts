import { STOP_WORDS } from "../words/terms.ts";
import type { ValueMatch, ValueReader } from "./value.ts";

const WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" ");
const ENDING = /^(?:st|nd|rd|th)$/;
/** "First of all", "second hand": no place in a row. */
const NO_ROW = /^(?:hand|opinion|thing|thoughts?|name|class|aid|time|person|half|quarter)$/;

/** Which one of a row: `second floor`, `3rd attempt`. Reads as the name of one of its kind, like `platform 4`. */
export const readOrdinal: ValueReader = (tokens, index) => {
  const token = tokens[index];
  if (token === undefined) return null;
  const word = WORDS.indexOf(token.lower) + 1;
  if (word > 0) return reading(tokens[index + 1], word, index + 1);
  const isDigits = token.kind === "number" && /^\d{1,3}$/.test(token.text) && tokens[index + 1]?.glued === true;
  return isDigits && ENDING.test(tokens[index + 1]?.lower ?? "")
    ? reading(tokens[index + 2], Number(token.text), index + 2)
    : null;
};

function reading(noun: Parameters<ValueReader>[0][number] | undefined, number: number, to: number): ValueMatch | null {
  if (noun?.kind !== "word" || noun.capital || STOP_WORDS.has(noun.lower) || NO_ROW.test(noun.lower)) return null;
  return { value: { kind: "version", key: `${noun.stem} ${number}`, dimension: noun.stem }, to };
}
