import { readAs } from "./confusables.ts";
import { isUnseen } from "./unseen.ts";

/**
 * Signs that read as the bracket of a tag: less-than signs, angle brackets and quotation marks that point as they do, triangles
 * and letters that look like one. A sign with a bar of equality is none.
 */
const SIGN =
  "<\\u00ab\\u02c2\\u02f1\\u1438\\u16b2\\u2039\\u226a\\u226e\\u2272\\u227a\\u22b0\\u22d6\\u22d8\\u2329\\u23ea\\u23f4\\u25c0-\\u25c5\\u276c\\u276e" +
  "\\u2770\\u27e8\\u27ea\\u2991\\u2993\\u29c0\\u29fc\\u2a79\\u2a7b\\u2aa1\\u2aa6\\u2abb\\u2af7\\u2b98\\u2b9c\\u2bc7\\u3008\\u300a\\ufe3d\\ufe3f\\ufe64" +
  "\\uff1c\\u{1d236}\\u{1f800}\\u{1f804}\\u{1f808}\\u{1f890}";

/** What opens a tag, looks as if it did, or stands for it in another writing. */
export const OPENERS = new RegExp(`[${SIGN}]+|[[\\uff3b]|&(?:lt|#0{0,6}60|#x0{0,6}3c);?|\\\\u003c|\\\\x3c|%3c`, "giu");
/** One sign of an opener, however it is written. */
export const SIGNS = /[&\\%].+|./gsu;

/** Characters that are read after an opener, white space counted once. */
const READ_MAX = 64;
const NAME_PART = /^[\p{L}\p{N}\s|/_:.▁\ufffd-]*$/u;
/** It ends a name even where it is a letter, so that no character is read for two of them. */
const OPENER = new RegExp(`^[${SIGN}]`, "u");

/** What a character is read as, and whether a name ends with it; null for one that is passed over. */
type Read = { readonly letters: string; readonly ends: boolean } | null;

/** Of characters that have been read: to fold one again costs many times as much. Emptied when it is full. */
const known = new Map<string, Read>();
const KNOWN_MAX = 16_384;

function readOnce(character: string): Read {
  const found = known.get(character);
  if (found !== undefined) return found;
  const read = readNow(character);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(character, read);
  return read;
}

function readNow(character: string): Read {
  if (character === "\ufffd" || isUnseen(character)) return null;
  const letters = /\s/.test(character) ? " " : readAs(character);
  return { letters, ends: OPENER.test(character) || !NAME_PART.test(letters) };
}

/** What a reader takes a text for from there on, up to what is no part of a name: without what is unseen, with single spaces. */
export function readOf(text: string, from: number): string {
  let read = "";
  for (let at = from; at < text.length && read.length < READ_MAX; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    const one = readOnce(character);
    if (one === null || (one.letters === " " && read.endsWith(" "))) continue;
    read += one.letters;
    if (one.ends) break;
  }
  return read;
}
