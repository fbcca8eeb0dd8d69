import { stemmer } from "stemmer";
import { asSeen, spelled } from "./letters.ts";
import { stopWordTest } from "./stop-words.ts";
import { STOP_WORDS, wordsIn } from "./terms.ts";
import { isUnspaced, ngramsToFind } from "./unspaced-scripts.ts";

/** A word that carries some of a text's subject. */
export interface ContentWord {
  /** What its regular forms and spellings share. */
  readonly stem: string;
  /** As it first stands in the text. */
  readonly written: string;
}

const LETTER = /\p{L}/u;

/** The distinct words of a text that may name its subject: no stop words of its language, no numbers, no letters alone. */
export function contentWords(text: string): ContentWord[] {
  const written = wordsIn(ngramsToFind(asSeen(text)));
  const spellings = written.map(spelled);
  const isStopWord = stopWordTest(spellings, STOP_WORDS);
  const words = new Map<string, string>();
  for (const [i, spelling] of spellings.entries()) {
    const isName = LETTER.test(spelling) && (isUnspaced(spelling) || spelling.length > 1);
    const stem = stemmer(spelling);
    if (isName && !isStopWord(spelling) && !words.has(stem)) words.set(stem, written[i] ?? spelling);
  }
  return [...words].map(([stem, as]) => ({ stem, written: as }));
}

/** Two pieces of a script without spaces as the word whose parts they may be: the one ends with what the other begins with. */
export function joinedPieces(a: string, b: string): string | null {
  if (!isUnspaced(a) || !isUnspaced(b)) return null;
  if (a.slice(-1) === b.slice(0, 1)) return a + b.slice(1);
  return b.slice(-1) === a.slice(0, 1) ? b + a.slice(1) : null;
}
