/** What stands between a word and the one before it. */
export type Gap =
  /** Nothing but space: both may be one name. */
  | "space"
  /** A comma, a dash, a bracket: two names. */
  | "break"
  /** The end of a sentence, a line, a colon, an opening quote: a capital after it says nothing. */
  | "sentence";

export interface Word {
  readonly text: string;
  /** Lower-case, without a possessive ending. */
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  readonly gap: Gap;
  /** Begins with a capital. */
  readonly capital: boolean;
  /** All of its two or more letters are capitals. */
  readonly upper: boolean;
  readonly possessive: boolean;
}

/** Words read of one text. */
const WORDS_MAX = 2_500;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’&.+-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*(?:[+#]+(?![\p{L}\p{N}]))?/gu;
const CAPITAL = /^\p{Lu}/u;
const UPPER = /^\p{Lu}[\p{Lu}\p{N}&]*\p{Lu}[\p{N}]*s?$/u;
const POSSESSIVE = /['’]s$/i;
const ENDS_SENTENCE = /[.!?…:;\n\r"“«*•|>]|\s['‘]|^\s*[-–—]\s|\s[-–—]\s+$|\n/u;
const ONLY_SPACE = /^[ \t]+$/;
/** A point after these ends no sentence. */
const ABBREVIATIONS = new Set("mr mrs ms dr prof st mt vs jr sr no vol fig inc corp ltd co rev gen sen gov".split(" "));

/** The words of a text from an index on, with what stands between them. */
export function readWords(text: string, from: number): Word[] {
  const words: Word[] = [];
  let last: Word | null = null;
  WORD.lastIndex = from;
  for (let found = WORD.exec(text); found && words.length < WORDS_MAX; found = WORD.exec(text)) {
    last = toWord(found[0], found.index, text, last);
    words.push(last);
  }
  return words;
}

function toWord(text: string, start: number, source: string, last: Word | null): Word {
  const possessive = POSSESSIVE.test(text);
  const bare = possessive ? text.slice(0, -2) : text;
  return {
    text: bare,
    lower: bare.toLowerCase(),
    start,
    end: start + text.length,
    gap: gapBetween(source, last, start),
    capital: CAPITAL.test(bare),
    upper: UPPER.test(bare),
    possessive,
  };
}

function gapBetween(source: string, last: Word | null, start: number): Gap {
  if (!last) return "sentence";
  const between = source.slice(last.end, start);
  if (ONLY_SPACE.test(between)) return "space";
  if (/^\.[ \t]+$/.test(between) && (last.text.length === 1 || ABBREVIATIONS.has(last.lower))) return "space";
  return ENDS_SENTENCE.test(between) ? "sentence" : "break";
}
