/**
 * Emoji as words of the keyword index, which has letters alone: each is one letter of private use. Tones of skin, signs of
 * how it is drawn, and what joins several of them to one are left out; the two halves of a flag stay together.
 */
const EMOJI = /(\p{RI}\p{RI})|(?![©®])\p{Extended_Pictographic}/gu;
const BESIDE = /[\u{1f3fb}-\u{1f3ff}]|[\ufe0e\ufe0f]|\u200d|\u20e3/gu;
const PRIVATE = 0xf0000;
const HALF = 0xffff;
const ANY = /[\p{RI}\p{Extended_Pictographic}]/u;

/** A text with its emoji as words. */
export const emojiAsWords = (text: string): string =>
  ANY.test(text) ? text.replace(BESIDE, "").replace(EMOJI, (emoji) => ` ${asLetters(emoji)} `) : text;

const asLetters = (emoji: string): string =>
  [...emoji].map((one) => String.fromCodePoint(PRIVATE + ((one.codePointAt(0) ?? 0) & HALF))).join("");

const LETTERS = /[\u{f0000}-\u{fffff}]/gu;
/** Emoji of the first plane have a number below this one, as the letters that stand for them tell. */
const OTHER_PLANE = 0xe000;

/** A word as people write it: emoji again for the letters that stand for them. */
export const emojiIn = (word: string): string =>
  word.replace(LETTERS, (letter) => {
    const low = (letter.codePointAt(0) ?? 0) & HALF;
    return String.fromCodePoint(low < OTHER_PLANE ? low : 0x10000 + low);
  });
