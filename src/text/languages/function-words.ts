import { once } from "../../core/kernel/once.ts";
import { unaccented } from "../../core/kernel/text.ts";
import { isAscii, spelled } from "../words/letters.ts";
import { WORDS_OF_LATIN } from "./words-of-latin.ts";
import { WORDS_OF_OTHERS } from "./words-of-others.ts";

/** Languages whose function words are known, English apart. */
export type Latin = keyof typeof WORDS_OF_LATIN;
export type Spoken = Latin | keyof typeof WORDS_OF_OTHERS;

/** A word as lists of words have it, with or without its accents. */
export const bare = (word: string): string => (isAscii(word) ? word : unaccented(spelled(word)));

/** The languages whose function word each is, as `bare` has them. */
const languages = once((): ReadonlyMap<string, readonly Spoken[]> => {
  const found = new Map<string, Spoken[]>();
  // Safe: the keys of both lists.
  for (const [language, words] of Object.entries({ ...WORDS_OF_LATIN, ...WORDS_OF_OTHERS }))
    for (const word of new Set(words.split(/\s+/).map(bare)))
      found.set(word, [...(found.get(word) ?? []), language as Spoken]);
  return found;
});

/** The languages, English apart, in which a word carries no subject of its own; `word` as `bare` has it. */
export const functionWordIn = (word: string): readonly Spoken[] => languages().get(word) ?? [];

/** Whether a language is written in Latin letters. */
export const isLatin = (language: Spoken): language is Latin => language in WORDS_OF_LATIN;
