import { stemmer } from "stemmer";
import { normalized } from "../../core/kernel/text.ts";
import { formsInRow } from "../languages/forms.ts";
import { indexedWords, wordsIn } from "./terms.ts";
import { isOneLetter, isUnspaced } from "./unspaced-scripts.ts";

/** Shorter words are their own stems. */
const STEM_MIN = 3;
/** Of longer words only so many letters count: an index has no room for words of any length. */
const LETTERS_MAX = 100;
const ACCENTS = /(\p{sc=Latn})[\u0300-\u036f]+/gu;

const plain = (text: string): string => normalized(normalized(text, "NFD").replace(ACCENTS, "$1"), "NFC");

/** The form under which an index of words has a word that is looked up: without accents, and without its regular ending. */
export function indexTerm(word: string): string {
  const letters = shortened(plain(word));
  return letters.length < STEM_MIN || isUnspaced(letters) ? letters : stemmer(letters);
}

/**
 * The distinct terms of a text for an index of words that knows neither stems nor beginnings: as `indexTerm` has them, with the
 * forms that other languages than English give; and of pieces in scripts without spaces the first letter too, so that one
 * letter alone finds them.
 */
export function indexTerms(text: string): string[] {
  const terms = new Set<string>();
  for (const word of wordsIn(plain(indexedWords(text)))) {
    terms.add(indexTerm(word));
    if (isUnspaced(word) && !isOneLetter(word)) terms.add(firstLetter(word));
  }
  for (const form of formsInRow(text)) terms.add(form);
  return [...terms];
}

const firstLetter = (piece: string): string => shortened(/^\P{M}\p{M}*/u.exec(piece)?.[0] ?? piece);

/** Half of a pair is no letter. */
const shortened = (word: string): string =>
  word.length <= LETTERS_MAX ? word : word.slice(0, LETTERS_MAX).replace(/[\uD800-\uDBFF]$/, "");
