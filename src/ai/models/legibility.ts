import type { TextTokenizer } from "./text-tokenizer.ts";

/** What can say something by itself: letters, and pictures. */
const TELLING = /[\p{L}\p{Extended_Pictographic}]/gu;
/** A text without any of these is punctuation, or of signs that mean nothing to others. */
const SAYING = /[\p{L}\p{N}\p{S}\p{Extended_Pictographic}]/u;
/** Characters of which it is remembered whether a vocabulary has them. */
const REMEMBERED_MAX = 4_096;

const remembered = new WeakMap<TextTokenizer, Map<string, boolean>>();

/**
 * By how many more letters of a text a tokenizer can read than it cannot: below zero for what it cannot read, and for what says
 * nothing. Digits and punctuation count neither way. Where nothing is unknown, the letters are not counted.
 */
export function legibility(tokenizer: TextTokenizer, text: string, hasUnknown: boolean): number {
  if (!SAYING.test(text)) return text.trim() === "" ? 0 : -1;
  if (!hasUnknown) return 1;
  let known = 0;
  for (const [letter] of text.matchAll(TELLING)) known += isKnown(tokenizer, letter) ? 1 : -1;
  return known;
}

function isKnown(tokenizer: TextTokenizer, letter: string): boolean {
  const known = remembered.get(tokenizer) ?? new Map<string, boolean>();
  remembered.set(tokenizer, known);
  const found = known.get(letter) ?? !tokenizer.encode(letter).includes(tokenizer.unknown);
  if (known.size >= REMEMBERED_MAX) known.clear();
  known.set(letter, found);
  return found;
}
