import { GIVEN_NAMES } from "./given-names.ts";
import { GREAT_ORGANISATIONS, OPENERS, PLACES, TECHNOLOGIES } from "./lexicon.ts";
import type { Word } from "./words.ts";

/** A sentence of at least so many telling words, nearly all of them with capitals, is a heading: its capitals are custom. */
const HEADING_WORDS_MIN = 3;
const HEADING_CAPITALS = 0.7;
const SMALL_WORD_LENGTH = 3;

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
  const telling = sentence.filter(({ lower }) => lower.length > SMALL_WORD_LENGTH || !OPENERS.has(lower));
  if (telling.length < HEADING_WORDS_MIN) return sentence.length > 1 && sentence.every(({ upper }) => upper);
  const capitals = telling.filter(({ capital }) => capital).length;
  return capitals / telling.length > HEADING_CAPITALS && !telling.some(isNameWord);
}

/** A word that is a name wherever it stands. */
export const isNameWord = ({ lower, text }: Word): boolean => isKnownName(lower) || hasInnerCapital(text);

export const isKnownName = (lower: string): boolean =>
  GIVEN_NAMES.has(lower) || PLACES.has(lower) || TECHNOLOGIES.has(lower) || GREAT_ORGANISATIONS.has(lower);

/** "GitHub", "HTMLElement", "K8s": no custom writes a word so. */
export const hasInnerCapital = (text: string): boolean => /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}/u.test(text);
