import { asSeen, FORM_MARK, isAscii, spelled } from "../words/letters.ts";
import { indexedWords, needsReindexing, wordsIn } from "../words/terms.ts";
import { isUnspaced } from "../words/unspaced-scripts.ts";
import { partsOf } from "./compounds.ts";
import { bare, functionWordIn } from "./function-words.ts";
import { guessLatin, languagesByScript } from "./guess.ts";
import type { Stemmed } from "./stemmers.ts";
import { STEMMERS } from "./stemmers.ts";

/** Letters of a form and of a word that has forms, at least and at most. */
const [FORM_MIN, WORD_MIN, WORD_MAX] = [2, 3, 60] as const;
const HAS_LETTER = /\p{L}/u;
const HAS_DIGIT = /\p{N}/u;
const WITH_BARE = /[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]/u;
/** Latin letters without dots, with an e for them. */
const WRITTEN_OUT = /(?<![aeq])([aou])e/g;
const DOTTED: Readonly<Record<string, string>> = { a: "ä", o: "ö", u: "ü" };

const HEBREW_PREFIX = /^[והבלמשכ].{3}/u;
const ARABIC_ARTICLE = "ال";

const formed = (stem: string): string => `${WITH_BARE.test(stem) ? bare(stem) : spelled(stem)}${FORM_MARK}`;

/** The ways in which a word may be written in a language. */
function* spellings(word: string, language: Stemmed): Generator<string> {
  yield word;
  if (!isAscii(word) && WITH_BARE.test(word)) yield bare(word);
  // "And", "the", "in", "from" and the like are written onto a word.
  if (language === "he" && HEBREW_PREFIX.test(word)) yield word.slice(1);
  // Its plurals are told from other words after the article alone.
  if (language === "ar" && !word.startsWith(ARABIC_ARTICLE)) yield ARABIC_ARTICLE + word;
  if (language === "de" && isAscii(word)) {
    const dotted = word.replace(WRITTEN_OUT, (_, vowel: string) => DOTTED[vowel] ?? vowel);
    if (dotted !== word) yield dotted;
  }
}

/** The forms of a word in a language: what its regular endings leave of it. */
function formsOf(word: string, language: Stemmed): string[] {
  const stem = STEMMERS[language];
  if (!stem) return [];
  const forms: string[] = [];
  for (const spelling of spellings(word, language)) {
    const form = stem(spelling);
    if (form.length >= FORM_MIN) forms.push(formed(form));
  }
  return forms;
}

const hasForms = (word: string): boolean =>
  word.length >= WORD_MIN &&
  word.length <= WORD_MAX &&
  HAS_LETTER.test(word) &&
  !HAS_DIGIT.test(word) &&
  !isUnspaced(word);

/** Where one language may end and another begin. */
const PIECES = /(?<=[.!?;:…])\s+|\n+/u;

/** Languages, and whether each is told for sure: only then are words taken apart. */
type Told = ReadonlyMap<Stemmed, boolean>;

/** The languages of each Latin piece of a text; one that tells none is in those of the others, null where all tell none. */
function languagesOfPieces(pieces: readonly (readonly string[])[]): (Told | null)[] {
  const guesses = pieces.map(guessLatin);
  const known = new Map<Stemmed, boolean>();
  for (const guess of guesses)
    if (typeof guess !== "string")
      for (const [language, isSure] of guess) known.set(language, isSure || known.get(language) === true);
  const isTold = guesses.some((guess) => guess !== "unknown");
  return guesses.map((guess) => {
    if (guess === "english") return new Map();
    if (guess === "unknown") return isTold ? known : null;
    return guess;
  });
}

/** Endings of long words that English has from Latin, too: they tell no language. */
const LEARNED =
  /(?:[ts]ions?|ings?|ed|ments?|[ai]bl[ey]|ness|l[iy]|it(?:y|ies)|i[sz](?:e|es|er|ers)|ous|ives?|ic(?:al|s)?|[ae]nce|ship|ol?ogy)$/;
/** A word of so many letters is seldom English: it may be written together from others, as in German and Dutch. */
const LONG = 12;
const LONG_IN: readonly Stemmed[] = ["de", "nl"];
const UMLAUT = /[äöüß]/;
/** In what a word may be that nothing else tells the language of. */
const byLength = (word: string): Told =>
  new Map(word.length < LONG || LEARNED.test(word) ? [] : LONG_IN.map((language) => [language, UMLAUT.test(word)]));
const byScript = (word: string): Told | null => {
  const languages = languagesByScript(word);
  return languages && new Map(languages.map((language) => [language, true]));
};

/** Letters of the form of a part: shorter ones stand in many words by chance. */
const PART_FORM_MIN = 4;
const isLongForm = (form: string): boolean => form.length >= PART_FORM_MIN + FORM_MARK.length;

/** The forms of a word of a row, and of its parts where its language is sure. */
function* formsInWord(word: string, languages: Told): Generator<string> {
  const grammar: readonly string[] = functionWordIn(bare(word));
  for (const [language, isSure] of languages) {
    if (grammar.includes(language)) continue;
    yield* formsOf(word, language);
    if (isSure) for (const part of partsOf(word, language)) yield* formsOf(part, language).filter(isLongForm);
  }
}

/**
 * What an index has of a row beside its words: the forms of each, and of its parts, in the language of its sentence. None for
 * English, whose endings the index takes off itself.
 */
export function formsInRow(text: string): string[] {
  const pieces = asSeen(text).split(PIECES).map(wordsIn);
  const languages = languagesOfPieces(pieces);
  /** Most words of a long row stand there often. */
  const known = new Map<string, readonly string[]>();
  const formsIn = (word: string, own: Told | null): readonly string[] => {
    const told = byScript(word) ?? own ?? byLength(word);
    if (told.size === 0) return [];
    const key = `${word} ${[...told].join(" ")}`;
    const forms = known.get(key) ?? [...formsInWord(word, told)];
    known.set(key, forms);
    return forms;
  };
  const formsInPiece = (words: readonly string[], own: Told | null): string[] =>
    words
      .map((word) => word.toLowerCase())
      .filter(hasForms)
      .flatMap((word) => formsIn(word, own));
  return [...new Set(pieces.flatMap((words, i) => formsInPiece(words, languages[i] ?? null)))];
}

/** A row as the keyword index that takes English endings off itself reads it: its words, and the forms of other languages. */
export function indexedWithForms(text: string): string {
  const forms = formsInRow(text);
  return forms.length === 0 ? indexedWords(text) : `${indexedWords(text)} ${forms.join(" ")}`;
}

/** Whether the index has other words of a text than its letters alone in lower case: those of English it always had. */
export const isWordedAnew = (text: string): boolean => needsReindexing(text) || formsInRow(text).length > 0;

/** Languages in Latin letters that a question may be in that tells none, those that most people write first. */
const UNTOLD: readonly Stemmed[] = ["de", "es", "fr", "pt", "it", "nl", "sv", "tr", "hu", "fi", "da", "no", "ro", "id"];

/**
 * The forms under which a question finds rows beside its words, each with the word that it stands for; those of the likelier
 * languages first. None for a question in English.
 */
export function formsInQuestion(query: string, asked: readonly string[]): Map<string, string> {
  const words = wordsIn(asSeen(query).toLowerCase());
  const guess = guessLatin(words);
  const latin = guess === "english" ? [] : guess === "unknown" ? UNTOLD : [...guess.keys()];
  const wanted = words
    .filter((word) => hasForms(word) && asked.includes(spelled(word)))
    .map((word) => ({ word, languages: languagesByScript(word) ?? latin }));
  const most = Math.max(0, ...wanted.map(({ languages }) => languages.length));
  const forms = Array.from({ length: most }, (_, place) =>
    wanted.flatMap(({ word, languages }) =>
      languages
        .slice(place, place + 1)
        .flatMap((language) => formsOf(word, language).map((form) => [form, spelled(word)] as const)),
    ),
  );
  // The word that a form stands for is the first that has it.
  return new Map([...new Map(forms.flat().reverse())].reverse());
}

/** What a word is worth of the one that it stands for: a row with that one itself goes before it. */
export const STAND_IN_SHARE = 0.9;

/** Whether a question tells the language of a word neither by its letters nor by other words: its forms are guesses then. */
export function untoldTest(query: string): (word: string) => boolean {
  const isUntold = guessLatin(wordsIn(asSeen(query).toLowerCase())) === "unknown";
  return (word) => isUntold && languagesByScript(word) === null;
}
