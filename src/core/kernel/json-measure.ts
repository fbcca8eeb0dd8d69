/** Deepest nesting of JSON that is taken from outside. */
export const JSON_MAX_DEPTH = 64;

/** What a JSON text holds, before anybody reads it. */
export interface JsonMeasure {
  /** Objects, arrays, texts, numbers, truths and nulls; the names of members are none. */
  readonly values: number;
  /** Objects and arrays around the innermost value. */
  readonly depth: number;
  /** It has a number of more digits than every double keeps. */
  readonly hasLongNumber: boolean;
}

/** Whole numbers of so many digits are all doubles. */
export const EXACT_DIGITS = 15;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Measures a JSON text in one pass, before a parser makes anything of it: many small values take a hundred times their text
 * to parse and to walk. Never says that a text is no JSON; that is the parser's to say.
 */
export function measureJson(text: string): JsonMeasure {
  let commas = 0;
  let filled = 0;
  let isFresh = false;
  let depth = 0;
  let deepest = 0;
  let word = 0;
  let longest = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= SPACE || code === COLON) {
      word = 0;
      continue;
    }
    switch (code) {
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        // Each value but the first of a container has a comma before it; only an empty one has no first.
        filled++;
        isFresh = true;
        if (++depth > deepest) deepest = depth;
        continue;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        if (isFresh) filled--;
        depth--;
        break;
      case COMMA:
        commas++;
        break;
      case QUOTE:
        index = endOfText(text, index) - 1;
        break;
      default:
        if (++word > longest) longest = word;
        isFresh = false;
        continue;
    }
    isFresh = false;
    word = 0;
  }
  return { values: 1 + commas + filled, depth: deepest, hasLongNumber: longest > EXACT_DIGITS };
}

const SPACE = 0x20;

/** One past the closing quote of the text that opens at `start`. */
export function endOfText(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index + 1;
    index += code === BACKSLASH ? 2 : 1;
  }
  return index;
}
