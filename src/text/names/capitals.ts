import { GIVEN_NAMES } from "./given-names.ts";
import { GREAT_ORGANISATIONS, PLACES, TECHNOLOGIES } from "./lexicon.ts";
import type { Word } from "./words.ts";

/** So many words with capitals, and no other but those that join them, are a heading: its capitals are custom. */
const HEADING_CAPITALS_MIN = 3;
const JOINS_HEADINGS = new Set("a an and as at by for from in into of on or per the to vs with".split(" "));

/** What a text tells of the capitals in it. */
export interface Capitals {
  /** Words that it also writes small. */
  readonly small: ReadonlySet<string>;
  /** Words with a capital where no sentence begins. */
  readonly named: ReadonlySet<string>;
  /** For each word whether it stands in a heading or in shouted text. */
  readonly heading: readonly boolean[];
}

/** Compares the capitals of a text with the rest of it. */
export function readCapitals(words: readonly Word[]): Capitals {
  const small = new Set<string>();
  const named = new Set<string>();
  const heading: boolean[] = [];
  for (const sentence of sentencesOf(words)) {
    const isHeading = isHeadingLike(sentence);
    for (const [i, word] of sentence.entries()) {
      heading.push(isHeading);
      if (!word.capital) small.add(word.lower);
      else if (i > 0 && !isHeading) named.add(word.lower);
    }
  }
  return { small, named, heading };
}

function sentencesOf(words: readonly Word[]): Word[][] {
  const sentences: Word[][] = [];
  for (const word of words) {
    if (word.gap === "sentence") sentences.push([word]);
    else sentences.at(-1)?.push(word);
  }
  return sentences;
}

function isHeadingLike(sentence: readonly Word[]): boolean {
  if (sentence.length > 1 && sentence.every(({ upper }) => upper)) return true;
  const capitals = sentence.filter(({ capital }) => capital);
  const isProse = sentence.some(({ capital, lower }) => !capital && !JOINS_HEADINGS.has(lower));
  return capitals.length >= HEADING_CAPITALS_MIN && !isProse && !capitals.some(isNameWord);
}

/** A word that is a name wherever it stands. */
export const isNameWord = ({ lower, text }: Word): boolean => isKnownName(lower) || hasInnerCapital(text);

/** Whether a word is a well-known given name, place, technology or organisation; in lower case. */
export const isKnownName = (lower: string): boolean =>
  GIVEN_NAMES.has(lower) || PLACES.has(lower) || TECHNOLOGIES.has(lower) || GREAT_ORGANISATIONS.has(lower);

/** "GitHub", "HTMLElement", "K8s": no custom writes a word so. */
export const hasInnerCapital = (text: string): boolean => /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}/u.test(text);
