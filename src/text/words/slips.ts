import { equalsOf } from "./abbreviations.ts";
import { spelled } from "./letters.ts";
import { isChatty, isOrdinary } from "./ordinary-words.ts";
import { STOP_WORDS, wordsIn } from "./terms.ts";

/** A shorter word has too many neighbours to tell which was meant, a longer one is none that somebody types. */
const [LETTERS_MIN, LETTERS_MAX] = [5, 20] as const;
/** Absent words of one question that are looked into: each costs some hundred looks at the index. */
export const SLIPS_MAX = 2;

/** The letters of each script that is spelled with few of them; accents and capitals do not matter to the index. */
const ALPHABETS: readonly string[] = [
  "abcdefghijklmnopqrstuvwxyz",
  "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
  "αβγδεζηθικλμνξοπρστυφχψω",
];

const alphabetOf = (word: string): string | undefined =>
  ALPHABETS.find((letters) => [...word].every((letter) => letters.includes(letter)));

/** Whether a word that no row holds may be another one with a slip of the pen: no code, and no common word of English. */
export const mayBeSlip = (word: string): boolean =>
  word.length >= LETTERS_MIN &&
  word.length <= LETTERS_MAX &&
  alphabetOf(word) !== undefined &&
  !isOrdinary(word) &&
  !isChatty(word) &&
  equalsOf(word).length === 0;

/**
 * What somebody may have meant who made one slip: two letters swapped, one left out, one too many, or another for one; the
 * likelier slips first. No stop word was meant, and nobody mistakes the first letter of a word for another.
 */
export function meantBy(word: string): string[] {
  const places = Array.from(word, (_, i) => i);
  const letters = [...(alphabetOf(word) ?? "")];
  const swapped = places
    .slice(1)
    .map((i) => word.slice(0, i - 1) + word.charAt(i) + word.charAt(i - 1) + word.slice(i + 1));
  const added = places.flatMap((i) => letters.map((letter) => word.slice(0, i + 1) + letter + word.slice(i + 1)));
  const dropped = places.map((i) => word.slice(0, i) + word.slice(i + 1));
  const replaced = places
    .slice(1)
    .flatMap((i) => letters.map((letter) => word.slice(0, i) + letter + word.slice(i + 1)));
  return [...new Set([...swapped, ...added, ...dropped, ...replaced])].filter(
    (other) => other !== word && !STOP_WORDS.has(other),
  );
}

/** A word that may have been meant, and how many of the rows that the caller sees hold it. */
export interface Meant {
  readonly word: string;
  readonly rows: number;
}

/** Words that may have been meant which are looked at in the rows that hold them, and how many rows of each. */
export const [MEANT_MAX, MEANT_ROWS_MAX] = [8, 8] as const;

/** Those that any row holds, the commonest first, of equals the likelier slip. */
export const likeliestFirst = (candidates: readonly Meant[]): Meant[] =>
  candidates
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MEANT_MAX);

/** Whether a text has the word itself, or more of it: the index knows stems alone, and finds by them what is no word at all. */
export const hasForm = (text: string, word: string): boolean =>
  wordsIn(spelled(text)).some((other) => other === word || other === `${word}s`);

/** What words of a question were read as, by the words as they are written. */
export type Readings = ReadonlyMap<string, string>;
