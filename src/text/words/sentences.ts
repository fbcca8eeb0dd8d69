import type { Language } from "../language.ts";
import { languageOf } from "../language.ts";
import { CLOSERS } from "../sentence-marks.ts";

/** Sentences shorter than this say too little to stand alone and join the one before. */
const SENTENCE_MIN = 12;
/** What a letter of these scripts counts towards it. */
const DENSE: readonly (readonly [letters: RegExp, more: number])[] = [
  [/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu, 2],
  [/\p{sc=Hang}/gu, 1],
];

/** A text that stops after a name's initial: "signed by J." */
const INITIAL = /\s\p{Lu}\.$/u;

/** Languages that write "the third" as "3.". */
const WITH_POINT: ReadonlySet<Language> = new Set(["de", "da", "no", "fi", "cs", "pl", "hu", "tr"]);
const ORDINAL = /(?:^|\s)\d{1,2}\.$/;

/** Words that end with a point and no sentence. */
const SHORT: Readonly<Partial<Record<Language, RegExp>>> = {
  de: shortOf(
    "z b d h u a o i v Dr Prof Nr Hr Fr Abs Art bzw ca vgl evtl ggf inkl exkl max min Str Tel St Jh Abt Bd Hrsg geb gest Mio Mrd",
  ),
  fr: shortOf("M MM Mme Mlle Dr Pr St Ste art fig p ex env vol no tél éd cf"),
  es: shortOf("Sr Sra Srta Dr Dra Ud Uds pág págs núm art p ej aprox tel av avda"),
  pt: shortOf("Sr Sra Dr Dra Exmo pág págs núm art p ex aprox tel av"),
  it: shortOf("Sig Sigg Dott Prof Ing Avv pag art p es ca tel"),
  nl: shortOf("dhr mevr mw dr prof ir ing nr blz bijv bv ca d w z m b t i v m e a o"),
  pl: shortOf("np tj tzn dr prof inż ul nr str art ok tel"),
  ru: shortOf("г гг т е д п к см стр ул рис им тел тыс млн млрд руб"),
  uk: shortOf("р рр т е д п к див стор вул рис ім тел тис млн млрд грн"),
};

function shortOf(words: string): RegExp {
  return new RegExp(`(?:^|[\\s(«„"])(?:${words.split(" ").join("|")})\\.$`, "i");
}

const segmenters = new Map<Language, Intl.Segmenter>();

function segmenterOf(language: Language): Intl.Segmenter {
  const known = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: "sentence" });
  segmenters.set(language, known);
  return known;
}

/** Spaces that part sentences, and clauses as well, where the script has no mark for it. */
const WITHOUT_MARKS = /(?<=[\p{sc=Thai}\p{sc=Laoo}])\s+(?=[\p{sc=Thai}\p{sc=Laoo}])|(?<=།)\s*(?=\p{sc=Tibt})/gu;
const MAY_LACK_MARKS = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Tibt}]/u;
/** Characters of a piece between such spaces, at least. */
const PIECE_MIN = 24;

/**
 * Splits a text into sentences by the Unicode rules and the text's language, line breaks included; short fragments, and what
 * follows an initial, an abbreviation or an ordinal, join their predecessor.
 */
export function splitSentences(text: string): string[] {
  const language = languageOf(text) ?? "en";
  const sentences: Joined[] = [];
  for (const line of text.split(/\n+/)) {
    for (const segment of segmentsOf(line, language)) {
      const sentence = segment.trim();
      const before = sentences.at(-1);
      if (sentence === "") continue;
      if (before !== undefined && isPart(before.end, sentence, language)) before.add(sentence);
      else sentences.push(new Joined(sentence));
    }
  }
  return sentences.map(String);
}

function* segmentsOf(line: string, language: Language): Generator<string> {
  for (const { segment } of segmenterOf(language).segment(line)) {
    if (MAY_LACK_MARKS.test(segment)) yield* piecesBetweenSpaces(segment);
    else yield segment;
  }
}

function* piecesBetweenSpaces(segment: string): Generator<string> {
  let start = 0;
  for (const { index } of segment.matchAll(WITHOUT_MARKS)) {
    if (index - start < PIECE_MIN) continue;
    yield segment.slice(start, index);
    start = index;
  }
  yield segment.slice(start);
}

function isPart(before: string, sentence: string, language: Language): boolean {
  if (weightOf(sentence) < SENTENCE_MIN || INITIAL.test(before)) return true;
  return endsInPoint(before, language);
}

/** Whether a text ends with an abbreviation, or a number in order, of its language, whose point ends no sentence. */
export function endsInPoint(text: string, language: Language): boolean {
  const end = endOf(text);
  return (WITH_POINT.has(language) && ORDINAL.test(end)) || SHORT[language]?.test(end) === true;
}

/** So much of a text as tells how it ends. */
const endOf = (text: string): string => text.slice(-END_LENGTH);
/** Longer than each abbreviation, and than closing brackets are many. */
const END_LENGTH = 32;

function weightOf(sentence: string): number {
  if (sentence.length >= SENTENCE_MIN) return sentence.length;
  return DENSE.reduce((sum, [letters, more]) => sum + more * (sentence.match(letters)?.length ?? 0), sentence.length);
}

/** Chinese and Japanese letters and marks, between which no space stands. */
const UNSPACED = `\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\u3000-\\u303f\\uff01-\\uff65`;
const ENDS_UNSPACED = new RegExp(`[${UNSPACED}][${CLOSERS}]*$`, "u");
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");

/** Sentences one behind the other, as their language writes them: only the end of what stands is looked at. */
class Joined {
  readonly #parts: string[];
  #end: string;

  constructor(first: string) {
    this.#parts = [first];
    this.#end = endOf(first);
  }

  /** So much as tells how they end. */
  get end(): string {
    return this.#end;
  }

  add(next: string): void {
    const space = ENDS_UNSPACED.test(this.#end) && STARTS_UNSPACED.test(next) ? "" : " ";
    this.#parts.push(space, next);
    this.#end = endOf(this.#end + space + next);
  }

  toString(): string {
    return this.#parts.join("");
  }
}

/** Sentences as one text. */
export function joinSentences([first = "", ...others]: readonly string[]): string {
  const joined = new Joined(first);
  for (const sentence of others) joined.add(sentence);
  return String(joined);
}
