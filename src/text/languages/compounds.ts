import type { Stemmed } from "./stemmers.ts";

/** Languages that write several words as one. */
const COMPOUNDING: ReadonlySet<Stemmed> = new Set(["de", "nl", "sv", "da", "no", "fi", "hu"]);
/** Letters of each part, at least. */
const PART_MIN = 4;
/** Parts of longer words are not looked for: they are codes. */
const WORD_MAX = 50;
/** A part that begins with a vowel has one letter more: fewer stand there by chance. */
const VOWEL = /[aeiouyàáâäåæèéêëìíîïòóôöøùúûüőű]/;
const LETTERS_ALONE = /^\p{L}+$/u;
/** With what a word of these languages may begin, if not with a vowel or one consonant. */
const ONSET =
  /^(?:[bcdfghjklmnpqrstvwxz]|bl|br|bj|ch|chr|cl|cr|dr|dw|dj|fl|fr|fj|gl|gn|gr|gj|hj|kl|kn|kr|kv|kj|lj|mj|nj|pf|pfl|pfr|ph|phr|pl|pr|ps|pj|qu|rh|sb|sc|sch|schl|schm|schn|schr|schw|sf|sk|skr|skj|sl|sm|sn|sp|spl|spr|st|str|stj|sv|sj|th|tr|tsch|tv|tw|tj|vl|vr|wr|zw|gy|ny|sz|cs|zs|ly|ty)$/;
/** Letters that are one sound: no word ends between them. */
const ONE_SOUND = /(?:s\|c|c\|h|c\|k|p\|h|q\|u|i\|j|o\|e|i\|e|e\|i|a\|u|e\|u|u\|i|aa|sc\|h)/;
/** What is written between two parts, and belongs to neither. */
const LINKS: readonly string[] = ["s", "n", "en", "es", "er", "e"];

const startOf = (part: string): string => {
  const vowel = part.search(VOWEL);
  return vowel < 0 ? part : part.slice(0, vowel);
};

function mayBePart(before: string, part: string): boolean {
  if (!VOWEL.test(before) || !VOWEL.test(part)) return false;
  if (ONE_SOUND.test(`${before.slice(-2)}|${part.charAt(0)}`)) return false;
  const start = startOf(part);
  return start === "" ? part.length > PART_MIN : ONSET.test(start);
}

/**
 * What may be a word by itself at either end of a word of a language that writes several as one, told by how words begin in
 * it, since no list has them all.
 *
 * @example
 * partsOf("zorgverzekering", "nl") // ["zorg", "verzekering", ...]
 */
export function partsOf(word: string, language: Stemmed): string[] {
  if (!COMPOUNDING.has(language) || word.length < 2 * PART_MIN || word.length > WORD_MAX) return [];
  if (!LETTERS_ALONE.test(word)) return [];
  const parts = new Set<string>();
  for (let cut = PART_MIN; cut <= word.length - PART_MIN; cut++) {
    const [before, part] = [word.slice(0, cut), word.slice(cut)];
    if (!mayBePart(before, part)) continue;
    parts.add(part);
    parts.add(before);
    for (const link of LINKS) {
      const alone = before.slice(0, -link.length);
      if (before.endsWith(link) && alone.length >= PART_MIN && VOWEL.test(alone)) parts.add(alone);
    }
  }
  return [...parts];
}
