import { once } from "./once.ts";

const segmenter = once(() => new Intl.Segmenter("und"));
/** Two characters that nothing makes one of. */
const APART = /^[ -~]{2}$/;
/** UTF-16 units of a character as people see it, at most: heaps of marks are cut. */
const CHARACTER_MAX = 64;

/**
 * Where a text may be cut, at `at` (in UTF-16 units) or before: between characters as people see them, so that no flag, no
 * family and no letter with its marks is cut in two.
 */
export function cutAt(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  if (APART.test(text.slice(at - 1, at + 1))) return at;
  const start =
    segmenter()
      .segment(text.slice(0, at + CHARACTER_MAX))
      .containing(at)?.index ?? at;
  if (at - start <= CHARACTER_MAX) return start;
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}

/** So many characters of a text's beginning and of its end, a line each; the whole of a shorter one. No half character is left. */
export const beginningAndEnd = (text: string, first: number, last: number): string =>
  (text.length <= first + last ? text : `${text.slice(0, first)}\n${text.slice(-last)}`).toWellFormed();

/** The first `limit` characters (code points) of a text, fewer where the last would be a part of one that people see. */
export function preview(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const first = Array.from(text.slice(0, 2 * limit))
    .slice(0, limit)
    .join("");
  return text.slice(0, cutAt(text, first.length));
}

/** Marks that end a sentence in scripts other than the Latin one, whatever follows them. */
export const FULL_STOPS = "。！？｡．।॥؟۔։።။។፧";
const ENDED = new RegExp(`[?!…${FULL_STOPS}]$`, "u");

/** A text that ends as a sentence does: with one full stop, unless it asks or calls out. */
export function sentence(text: string): string {
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text.charAt(end - 1))) end--;
  const said = text.slice(0, end);
  return ENDED.test(said) ? said : `${said}.`;
}

/** How many of something there are, such as `1 memory` and `2 memories`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Length of a text in UTF-8 bytes. */
export const byteLength = (text: string): number => Buffer.byteLength(text, "utf8");

/** Number rounded to `digits` decimals, as scores and similarities are shown. */
export const rounded = (value: number, digits = 4): number => {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
};

/**
 * The known word closest to a mistyped one (edit distance of at most a third of its length), to suggest in an error.
 *
 * @example
 * nearestWord("serch", ["search", "recall"]) // "search"
 */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const farthest = Math.max(2, word.length / 3);
  // So many letters must at least be added or removed: a word of megabytes is not gone through to learn that it is none.
  const alike = known.filter((name) => Math.abs(name.length - word.length) <= farthest);
  const ranked = alike.map((name) => ({ name, distance: editDistance(word, name) }));
  const best = ranked.sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= farthest ? best.name : null;
}

/** Levenshtein distance: the fewest insertions, deletions and replacements of characters between two words. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replace, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** Characters of a well-formed text: code points, not the two halves that UTF-16 makes of an emoji. */
export const characterCount = (text: string): number =>
  text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);

/**
 * Marks that stand together, of which the runtime sorts a run in time that grows with the square of its length; two signs of
 * Japanese become marks.
 */
const MANY_MARKS = /([\p{M}\uff9e\uff9f]{256})/u;
/** Texts up to here hold no run that takes long. */
const SHORT_TEXT = 1_000;

/** A text changed as a whole, but for the longest runs of marks: those are changed piece by piece. */
export function withoutLongRuns(text: string, change: (part: string) => string): string {
  if (text.length <= SHORT_TEXT) return change(text);
  return text.split(MANY_MARKS).map(change).join("");
}

/** A text in a form of Unicode, in time that grows with its length. */
export const normalized = (text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string =>
  withoutLongRuns(text, (part) => part.normalize(form));

/** A word without its accents, which many leave out. */
export const unaccented = (word: string): string => normalized(word, "NFKD").replace(/\p{M}+/gu, "");

/** The body of a reply as text, or null, and no more read, once it is larger than `bytesMax`, unpacked. */
export async function readBounded({ body }: Pick<Response, "body">, bytesMax: number): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
