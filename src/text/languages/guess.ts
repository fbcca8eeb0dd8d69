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

const CAPITAL = /^\p{Lu}/u;
/** A language that so much speaks for is told for sure. */
const SURE = 2;

/** What speaks for a language. */
interface Held {
  count: number;
  /** Whether any of it is longer than a code, and whether any stands in no name. */
  isLong: boolean;
  isFirm: boolean;
}

/** What speaks for the languages in Latin letters and for English. */
class Evidence {
  readonly #others = new Map<Latin, Held>();
  /** Words that may be common ones of English: looked at only where something speaks for another language. */
  readonly #rest: string[] = [];
  readonly #ordinary = once(() => this.#rest.filter(isOrdinary).length);
  /** The other languages of each function word of English. */
  readonly #english: (readonly string[])[] = [];

  constructor(written: readonly string[]) {
    const words = written.map((word) => word.toLowerCase());
    const unknown = words.map((word, i) => this.#addWord(word, isInName(written, i)));
    // Letters of names tell where their bearer is from.
    this.#addLetters(words.filter((_, i) => unknown[i] && !CAPITAL.test(written[i] ?? "")).join(" "), true);
    this.#addLetters(words.filter((_, i) => unknown[i] && CAPITAL.test(written[i] ?? "")).join(" "), false);
  }

  /** Whether a word is no function word. */
  #addWord(word: string, inName: boolean): boolean {
    const plain = bare(word);
    const languages = functionWordIn(plain);
    if (STOP_WORDS.has(plain)) this.#english.push(languages);
    else if (languages.length > 0) {
      for (const language of languages.filter(isLatin))
        this.#add(language, { isLong: LONGER.test(word), isFirm: !inName || language === "de" });
    } else if (isAscii(word)) this.#rest.push(word);
    else return true;
    return false;
  }

  #addLetters(letters: string, isFirm: boolean): void {
    if (letters === "") return;
    for (const [some, languages] of LETTERS)
      if (some.test(letters)) for (const language of languages) this.#add(language, { isLong: isFirm, isFirm });
  }

  #add(language: Latin, { isLong, isFirm }: Pick<Held, "isLong" | "isFirm">): void {
    const held = this.#others.get(language) ?? { count: 0, isLong: false, isFirm: false };
    this.#others.set(language, {
      count: held.count + 1,
      isLong: held.isLong || isLong,
      isFirm: held.isFirm || isFirm,
    });
  }

  /** What speaks for each language that a word told. */
  others(): [Latin, number][] {
    return [...this.#others].flatMap(([language, { count, isLong, isFirm }]) =>
      isLong && isFirm ? [[language, count]] : [],
    );
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

/** Whether a word may belong to a name, as in "Van Gogh" and "Rio de Janeiro"; in German any noun has a capital. */
function isInName(words: readonly string[], i: number): boolean {
  const isCapital = (place: number) => CAPITAL.test(words[place] ?? "");
  return isCapital(i + 1) && (isCapital(i) || isCapital(i - 1));
}

/** Whether words speak for English, for other languages, or for none; each of those with whether it is told for sure. */
export type Guess = ReadonlyMap<Latin, boolean> | "english" | "unknown";

/** The languages that the words of a piece of text in Latin letters may be of; `words` as they are written. */
export function guessLatin(words: readonly string[]): Guess {
  const evidence = new Evidence(words.slice(0, WORDS_MAX));
  const telling = evidence.others().filter(([language, weight]) => weight > evidence.english(language));
  const most = Math.max(0, ...telling.map(([, weight]) => weight));
  if (most > 0)
    return new Map(
      telling
        .filter(([, weight]) => weight >= NEAR_SHARE * most)
        .map(([language, weight]) => [language, weight >= SURE]),
    );
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
