import TRADITIONAL from "opencc-js/dict/TSCharacters";
import { once } from "../../core/kernel/once.ts";
import { normalized } from "../../core/kernel/text.ts";

/** One form for each way to write the same letters, in lower case. */
export const fold = (text: string): string => normalized(text, "NFKC").toLowerCase();

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ASCII = /^[\x00-\x7f]*$/;
/** Whether a text has none but the letters of English. */
export const isAscii = (text: string): boolean => ASCII.test(text);

/**
 * Ends the forms that an index has beside the words of a row: a letter that nobody types, which an index takes for part of a
 * word and which keeps English endings from being taken off it. Words as they are looked up have none.
 */
export const FORM_MARK = "\u{10fffd}";

/** Signs that are not seen within a word: soft hyphens, joiners, directions. Persian parts words by one of them. */
const UNSEEN = /[\p{DI}--\u200c]|(?<=\p{sc=Latn})\u200c/gv;
/** Letters of private use that the index has for emoji: in a text they are signs of some font. */
const FONT_SIGNS = /[\u{f0000}-\u{fffff}]/gu;

/** One form for each way to write the same letters, without what nobody sees in a word, and letters that an index has of its own. */
export const asSeen = (text: string): string =>
  isAscii(text)
    ? text
    : normalized(text.replace(UNSEEN, ""), "NFKC").replace(FONT_SIGNS, " ").replaceAll(FORM_MARK, "");

/** Whether a word that is looked up is such a form, which stands for a word that somebody wrote. */
export const isForm = (word: string): boolean => word.endsWith(FORM_MARK);

/** Letters that are also written as others, and that the keyword index would keep apart from those. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  ...{ ß: "ss", œ: "oe", æ: "ae", þ: "th" },
  ...{ ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i", ς: "σ" },
  // Arabic and Persian, without a hamza.
  ...{ آ: "ا", أ: "ا", إ: "ا", ٱ: "ا", ى: "ي", ی: "ي", ة: "ه", ک: "ك" },
};
const OTHER_LETTERS = new RegExp(`[${Object.keys(WRITTEN_AS).join("")}]`, "gu");

/** Signs of vowels in Hebrew and Arabic that are seldom written, and the line that only makes a word longer. */
const VOWEL_SIGNS =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/g;
/** Accents of Greek, and those of Cyrillic that make no other letter: й is one, ё is е. */
const ACCENTED = /[\u0370-\u03ff\u0400-\u04ff\u1f00-\u1fff]/;
const ACCENTS = /(\p{sc=Grek})[\u0300-\u036f]+|([еи])[\u0300\u0301\u0308]|([аоуыэюя])[\u0300\u0301]/gu;
const HAN = /\p{sc=Han}/gu;
const ANY_HAN = /\p{sc=Han}/u;

/** The simplified form of each traditional Chinese letter, as OpenCC has them. */
const simplified = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      TRADITIONAL.split("|")
        .map((pair) => [...pair].filter((letter) => letter !== " "))
        .map(([from = "", to = ""]) => [from, to]),
    ),
);

/** The form of a text in which words are looked up: letters that stand for each other are one. Latin ones keep their accents. */
export function spelled(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let plain = asSeen(text).toLowerCase().replace(VOWEL_SIGNS, "");
  if (ACCENTED.test(plain))
    plain = normalized(
      normalized(plain, "NFD").replace(ACCENTS, (_, greek = "", open = "", other = "") => greek + open + other),
      "NFC",
    );
  if (ANY_HAN.test(plain)) plain = plain.replace(HAN, (letter) => simplified().get(letter) ?? letter);
  return plain.replace(OTHER_LETTERS, (letter) => WRITTEN_AS[letter] ?? letter);
}
