import { languageOf } from "../language.ts";
import { emojiAsWords } from "./emoji.ts";
import { asSeen, fold, spelled } from "./letters.ts";
import { stopWordTest } from "./stop-words.ts";
import { isUnspaced, ngramsToFind, ngramsToIndex } from "./unspaced-scripts.ts";

/** English words that carry no subject of their own: questions are full of them, and so is every row. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are aren as at be because been before being below between
  both but by can could couldn d did didn do does doesn doing don done down during each else ever few for from further
  had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself
  just let ll m many may me might more most much must my myself no nor not now of off on once only or other our ours
  ourselves out over own re s same shall she should shouldn so some such t than that the their theirs them themselves
  then there these they this those through to too under until up upon us ve very was wasn we were weren what when where
  whether which while who whom whose why will with won would wouldn yes you your yours yourself yourselves`.split(
    /\s+/,
  ),
);

/** A text as the keyword index reads it; it takes the accents off Latin letters itself. */
export const indexedWords = (text: string): string => ngramsToIndex(emojiAsWords(spelled(text)));

/** Whether the index reads a text otherwise than as it is folded. */
export const needsReindexing = (text: string): boolean => indexedWords(text) !== fold(text);

/** Marks belong to the letter before them. */
const WORD = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;

/** The words of a text as they stand there, whatever the script. */
export const wordsIn = (text: string): string[] => text.match(WORD) ?? [];

/** The distinct words of a text, as they are looked up; in scripts without spaces, pieces of them. */
export const termsOf = (text: string): string[] => [...new Set(lookedUp(text))];
const lookedUp = (text: string): string[] => wordsIn(ngramsToFind(emojiAsWords(spelled(text))));

/** Words looked up of one query: the bits of one number. */
export const TERMS_MAX = 30;

/** The words of a query that may tell rows apart: no stop words of its language, unless it has no others. */
export const significantTerms = (query: string): string[] => fewEnough(tellingTerms(query).telling);

/** All distinct words of a text that may tell it from others, as `significantTerms` has them, and its other words. */
export function tellingTerms(text: string): { readonly telling: string[]; readonly others: string[] } {
  const written = lookedUp(text);
  const all = [...new Set(written)];
  const isStopWord = stopWordTest(written, STOP_WORDS);
  const telling = all.filter((word) => !isStopWord(word));
  return telling.length > 0 ? { telling, others: all.filter(isStopWord) } : { telling: all, others: [] };
}

/** The first words and, in the room they leave, pieces from all over the query: those without grammar before others. */
function fewEnough(terms: readonly string[]): string[] {
  const words = terms.filter((term) => !isUnspaced(term)).slice(0, TERMS_MAX);
  const pieces = terms.filter(isUnspaced);
  const room = TERMS_MAX - words.length;
  if (pieces.length <= room) return terms.filter((term) => isUnspaced(term) || words.includes(term));
  const significant = pieces.filter((piece) => !GRAMMAR.test(piece));
  const chosen = spread(significant, room);
  const rest = pieces.filter((piece) => GRAMMAR.test(piece));
  return [...words, ...chosen, ...spread(rest, room - chosen.length)];
}

/** What joins and ends words in Japanese and Chinese. */
const GRAMMAR = /[\p{sc=Hira}的了吗嗎呢吧是在我你他她它这這那哪们們么麼]/u;

/** So many of some items, evenly from first to last: of neighbouring pieces, each letter stays in one. */
const spread = (items: readonly string[], count: number): string[] =>
  items.filter((_, i) => Math.floor((i * count) / items.length) !== Math.floor(((i - 1) * count) / items.length));

/** A query of so few significant terms is no sentence: its first word has a capital because somebody gave it one. */
const PHRASE_TERMS_MAX = 3;

/** The folded words of a query that are written as names or codes: with a digit, or a capital where no sentence starts. */
export function namedTerms(query: string): Set<string> {
  const isPhrase = significantTerms(query).length <= PHRASE_TERMS_MAX;
  const written = wordsIn(ngramsToFind(asSeen(query)));
  const named = written.filter((word, i) => /\p{N}/u.test(word) || (/\p{Lu}/u.test(word) && (i > 0 || isPhrase)));
  return new Set(named.map(spelled));
}

/** Those of them that are rare by how they are written. In German every noun has a capital: there one more, or a digit, tells a name. */
export function rarelyWritten(query: string): Set<string> {
  if (languageOf(query) !== "de") return namedTerms(query);
  const written = wordsIn(ngramsToFind(asSeen(query)));
  return new Set(written.filter((word) => /\p{N}|.\p{Lu}/u.test(word)).map(spelled));
}

/**
 * Words that nothing but one such sign stands between are written together, as a code or a path is. One word alone is taken, too,
 * and left out after: were two of them asked for, each letter of a long word would be tried as a beginning.
 */
const PIECE = /[\p{L}\p{N}\p{Co}\p{M}]+(?:[-_./:@#+][\p{L}\p{N}\p{Co}\p{M}]+)*/gu;
const JOINT = /[-_./:@#+]/;

/** The words of each piece of a query that is written together of several. */
export const compoundTerms = (query: string): string[][] =>
  (query.match(PIECE) ?? []).filter((piece) => JOINT.test(piece)).map(termsOf);
