import { latinBase, latinOf } from "../../core/kernel/quoting/confusables.ts";

/** A text as a reader or a shell would take it; `at` leads from its characters back to those of the original. */
export interface View {
  readonly text: string;
  readonly offsets: readonly number[];
}

/** A text in the forms that rules look at. */
export interface Views {
  readonly raw: string;
  /** Lower-case Latin letters for every look-alike, nothing invisible; punctuation and line breaks as they were. */
  readonly letters: View;
  /** The same as words with one space between; " . " where a sentence or a paragraph ends. */
  readonly words: View;
  /** Words of the text in its own alphabets, for rules about other languages. */
  readonly native: View;
}

/** A text as it is written, and as a reader takes it: look-alike letters, invisible characters and spacing undone. */
export function viewsOf(raw: string): Views {
  if (ASCII.test(raw)) {
    const letters = { text: raw.toLowerCase(), offsets: Array.from(raw, (_, i) => i) };
    const words = wordsOf(letters);
    return { raw, letters, words, native: words };
  }
  const letters = lettersOf(raw, (character) => latinOf(character) ?? latinBase(character));
  return { raw, letters, words: wordsOf(letters), native: wordsOf(lettersOf(raw, () => null)) };
}

/** A text of such characters looks like nothing but itself. */
const ASCII = /^\p{ASCII}*$/u;

/** Characters that are not drawn: taken out before anything is compared. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

function lettersOf(raw: string, imitated: (character: string) => string | null): View {
  let text = "";
  const offsets: number[] = [];
  let index = 0;
  for (const character of raw) {
    const shown = shownAs(character, imitated);
    text += shown;
    for (let i = 0; i < shown.length; i++) offsets.push(index);
    index += character.length;
  }
  return { text, offsets };
}

function shownAs(character: string, imitated: (character: string) => string | null): string {
  if (character < "\u0080") return character.toLowerCase();
  if (INVISIBLE.test(character)) return "";
  return imitated(character) ?? character.normalize("NFKC").toLowerCase();
}

const WORD = /[\p{L}\p{N}\p{M}]/u;
const APOSTROPHES = "'\u2019\u02bc`";

function wordsOf({ text, offsets }: View): View {
  const found: string[] = [];
  const places: number[] = [];
  const push = (part: string, place: number) => {
    for (const unit of part) {
      found.push(unit);
      places.push(place);
    }
  };
  for (let i = 0; i < text.length; i++) {
    const unit = text[i] ?? "";
    const place = offsets[i] ?? 0;
    if (isWord(unit)) push(unit, place);
    else if (APOSTROPHES.includes(unit) && isWord(text[i - 1]) && isWord(text[i + 1])) continue;
    else if (endsSentence(text, i)) push(found.at(-1) === " " ? ". " : " . ", place);
    else if (found.at(-1) !== " ") push(" ", place);
  }
  return { text: found.join(""), offsets: places };
}

/** Half a surrogate pair belongs to a letter of a rare alphabet. */
function isWord(unit: string | undefined): boolean {
  if (unit === undefined) return false;
  if (unit < "\u0080") return /[a-z\d]/.test(unit);
  return WORD.test(unit) || (unit >= "\ud800" && unit <= "\udfff");
}

/** A full stop before space, a blank line, or the start of an item of a list. */
function endsSentence(text: string, i: number): boolean {
  const unit = text[i] ?? "";
  if (/[.!?;]/.test(unit)) return /^(?:[\s"'\u201d)\]*_]|$)/.test(text.slice(i + 1, i + 2));
  if (/[。！？；]/.test(unit)) return true;
  return unit === "\n" && /^[ \t]*(?:\n|[-*+#>|] |\d+[.)] )/.test(text.slice(i + 1, i + 40));
}

/** Where a match within a view begins and ends in the original text. */
export function placeOf(
  { offsets }: View,
  index: number,
  length: number,
): { readonly start: number; readonly end: number } {
  const start = offsets[index] ?? 0;
  return { start, end: (offsets[index + length - 1] ?? start) + 1 };
}

/** Digits and signs that stand for letters within words of both: `1gn0re`. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "@": "a",
  $: "s",
  "!": "i",
};

const MASKED = /[a-z@$!\d]{2,60}[a-z\d]/g;
const isMasked = (word: string): boolean => /[a-z]/.test(word) && /[\d@$!]/.test(word);
const unmaskedWord = (word: string, one: "i" | "l"): string =>
  word.replace(/[\d@$!]/g, (sign) => (sign === "1" ? one : (SUBSTITUTES[sign] ?? sign)));

/** The words that hold letters and digits, with the digits read as letters. */
export const unmaskedWords = ({ text }: View, one: "i" | "l"): string[] =>
  (text.match(MASKED) ?? []).filter(isMasked).map((word) => unmaskedWord(word, one));

/** The letters with digits read as the letters they imitate, in words that hold both; same length, same places. */
export function unmasked({ text, offsets }: View, one: "i" | "l"): View {
  const read = text.replace(MASKED, (word) => (isMasked(word) ? unmaskedWord(word, one) : word));
  return wordsOf({ text: read, offsets });
}

/** The Latin letters alone, whatever stands between them. */
export function compacted({ text, offsets }: View): View {
  const found: string[] = [];
  const places: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text[i] ?? "";
    if (unit < "a" || unit > "z") continue;
    found.push(unit);
    places.push(offsets[i] ?? 0);
  }
  return { text: found.join(""), offsets: places };
}
