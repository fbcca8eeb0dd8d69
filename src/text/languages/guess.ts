import { once } from "../../core/kernel/once.ts";
import { isAscii } from "../words/letters.ts";
import { isOrdinary } from "../words/ordinary-words.ts";
import { STOP_WORDS } from "../words/terms.ts";
import type { Latin } from "./function-words.ts";
import { bare, functionWordIn, isLatin } from "./function-words.ts";
import type { Stemmed } from "./stemmers.ts";

/** Letters that tell languages apart; each that stands in a text counts as a word of those. */
const LETTERS: readonly (readonly [letters: RegExp, languages: readonly Latin[]])[] = [
  [/ß/, ["de"]],
  [/ä/, ["de", "sv", "fi"]],
  [/ö/, ["de", "sv", "fi", "hu", "tr"]],
  [/ü/, ["de", "hu", "tr"]],
  [/å/, ["sv", "da", "no"]],
  [/[øæ]/, ["da", "no"]],
  [/[ñ¿¡]/, ["es"]],
  [/[ãõ]/, ["pt"]],
  [/ç/, ["fr", "pt", "tr"]],
  [/[àèêœù]/, ["fr", "it"]],
  [/[ìò]/, ["it"]],
  [/[ğış]/, ["tr"]],
  [/[łżśćńęą]/, ["pl"]],
  [/[řůě]/, ["cs"]],
  [/[őű]/, ["hu"]],
  [/[țășţ]/, ["ro"]],
  [/[đơư\u1ea0-\u1ef9]/, ["vi"]],
];

/** Words of a piece that are looked at for its language. */
const WORDS_MAX = 200;
/** What a common word of English counts that is no function word: many are words of other languages too. */
const ORDINARY_SHARE = 0.5;
/** Languages that nearly as much speaks for are taken together: Danish and Norwegian share most of their words. */
const NEAR_SHARE = 0.6;
const LONGER = /...|\P{ASCII}/u;

/** What speaks for the languages in Latin letters and for English. */
class Evidence {
  readonly #others = new Map<Latin, number>();
  /** Languages of which a word longer than a code stands there. */
  readonly #told = new Set<Latin>();
  /** Words that may be common ones of English: looked at only where something speaks for another language. */
  readonly #rest: string[] = [];
  readonly #ordinary = once(() => this.#rest.filter(isOrdinary).length);
  /** The other languages of each function word of English. */
  readonly #english: (readonly string[])[] = [];

  constructor(words: readonly string[]) {
    for (const word of words) this.#addWord(word);
    const letters = words.filter((word) => !isAscii(word)).join(" ");
    if (letters === "") return;
    for (const [some, languages] of LETTERS) if (some.test(letters)) this.#add(languages, true);
  }

  #addWord(word: string): void {
    const plain = bare(word);
    const languages = functionWordIn(plain);
    if (STOP_WORDS.has(plain)) this.#english.push(languages);
    else if (languages.length > 0) this.#add(languages.filter(isLatin), LONGER.test(word));
    else if (isAscii(word)) this.#rest.push(word);
  }

  #add(languages: readonly Latin[], isTelling: boolean): void {
    for (const language of languages) {
      this.#others.set(language, (this.#others.get(language) ?? 0) + 1);
      if (isTelling) this.#told.add(language);
    }
  }

  /** What speaks for each language that a word told. */
  others(): [Latin, number][] {
    return [...this.#others].filter(([language]) => this.#told.has(language));
  }

  /** What speaks for English and not for a language. */
  english(language: Latin): number {
    const grammar = this.#english.filter((languages) => !languages.includes(language)).length;
    return grammar + ORDINARY_SHARE * this.#ordinary();
  }

  /** Whether anything speaks for English. */
  hasEnglish(): boolean {
    return this.#english.length > 0 || this.#ordinary() > 0;
  }
}

/** Whether words speak for English, for other languages, or for none. */
export type Guess = readonly Latin[] | "english" | "unknown";

/** The languages that the words of a piece of text in Latin letters may be of; `words` folded, with their accents. */
export function guessLatin(words: readonly string[]): Guess {
  const evidence = new Evidence(words.slice(0, WORDS_MAX));
  const telling = evidence.others().filter(([language, weight]) => weight > evidence.english(language));
  const most = Math.max(0, ...telling.map(([, weight]) => weight));
  if (most > 0) return telling.filter(([, weight]) => weight >= NEAR_SHARE * most).map(([language]) => language);
  return evidence.hasEnglish() ? "english" : "unknown";
}

/** Scripts whose words tell their language by themselves. */
const BY_SCRIPT: readonly (readonly [letters: RegExp, languages: (word: string) => readonly Stemmed[]])[] = [
  [/\p{sc=Cyrl}/u, (word) => (/[іїєґ]/.test(word) ? ["uk", "ru"] : /[ыэъё]/.test(word) ? ["ru"] : ["ru", "uk"])],
  [/\p{sc=Grek}/u, () => ["el"]],
  [/\p{sc=Arab}/u, () => ["ar"]],
  [/\p{sc=Hebr}/u, () => ["he"]],
  [/\p{sc=Deva}/u, () => ["hi"]],
  [/\p{sc=Armn}/u, () => ["hy"]],
  [/\p{sc=Taml}/u, () => ["ta"]],
];

const ANY_LATIN = /\p{sc=Latn}/u;

/** The languages of a word in letters that few languages write, none where those have no stems; null for one in Latin letters. */
export function languagesByScript(word: string): readonly Stemmed[] | null {
  if (isAscii(word)) return null;
  const own = BY_SCRIPT.find(([letters]) => letters.test(word));
  if (own) return own[1](word);
  return ANY_LATIN.test(word) ? null : [];
}
