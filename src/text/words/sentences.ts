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
  const sentences: string[] = [];
  for (const line of text.split(/\n+/)) {
    for (const segment of segmentsOf(line, language)) {
      const sentence = segment.trim();
      const before = sentences.at(-1);
      if (sentence === "") continue;
      if (before !== undefined && isPart(before, sentence, language))
        sentences[sentences.length - 1] = joined(before, sentence);
      else sentences.push(sentence);
    }
  }
  return sentences;
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
export const endsInPoint = (text: string, language: Language): boolean =>
  (WITH_POINT.has(language) && ORDINAL.test(text)) || SHORT[language]?.test(text) === true;

function weightOf(sentence: string): number {
  if (sentence.length >= SENTENCE_MIN) return sentence.length;
  return DENSE.reduce((sum, [letters, more]) => sum + more * (sentence.match(letters)?.length ?? 0), sentence.length);
}

/** Chinese and Japanese letters and marks, between which no space stands. */
const UNSPACED = `\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\u3000-\\u303f\\uff01-\\uff65`;
const ENDS_UNSPACED = new RegExp(`[${UNSPACED}][${CLOSERS}]*$`, "u");
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");

/** Two sentences, one behind the other, as their language writes them. */
export const joined = (one: string, next: string): string =>
  ENDS_UNSPACED.test(one) && STARTS_UNSPACED.test(next) ? one + next : `${one} ${next}`;

/** Sentences as one text. */
export const joinSentences = (sentences: readonly string[]): string =>
  sentences.length === 0 ? "" : sentences.reduce(joined);
