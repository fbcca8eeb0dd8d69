/** Kinds of words that dates are made of; bits, so that a pattern may need several. */
export const CLUE = {
  year: 1,
  month: 2,
  weekday: 4,
  /** today, yesterday, last night */
  day: 8,
  /** weeks, months */
  unit: 16,
  /** last, this, next */
  near: 32,
  /** ago, back, now */
  away: 64,
  season: 128,
  /** Q3, H1, half, quarter */
  part: 256,
  /** 7th */
  ordinal: 512,
  number: 1024,
} as const;

const WORDS: Readonly<Record<Exclude<keyof typeof CLUE, "number" | "year" | "ordinal">, string>> = {
  month: `january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep sept oct nov dec`,
  weekday: `monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun`,
  day: "yesterday today tonight tomorrow night morning afternoon evening",
  unit: "hour hours day days week weeks month months quarter quarters year years weekend",
  near: "last past previous this current next coming upcoming following",
  away: "ago back now",
  season: "spring summer autumn fall winter",
  part: "q1 q2 q3 q4 h1 h2 quarter half",
};

const CLUES: ReadonlyMap<string, number> = (() => {
  const clues = new Map<string, number>();
  for (const [kind, words] of Object.entries(WORDS)) {
    for (const word of words.split(/\s+/)) clues.set(word, (clues.get(word) ?? 0) | bitOf(kind));
  }
  return clues;
})();

function bitOf(kind: string): number {
  const [, bit = 0] = Object.entries(CLUE).find(([name]) => name === kind) ?? [];
  return bit;
}

/** The kinds of date words in a text, as bits of `CLUE`: one pass that spares most texts every pattern. */
export function cluesOf(text: string): number {
  let found = 0;
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) found |= CLUES.get(word) ?? numberClue(word);
  return found;
}

const DIGIT_0 = 48;
const DIGIT_9 = 57;

function numberClue(word: string): number {
  const first = word.charCodeAt(0);
  if (first < DIGIT_0 || first > DIGIT_9) return 0;
  if (/^(?:19[7-9]|20\d|210)\d/.test(word)) return CLUE.year | CLUE.number;
  return /^\d{1,2}(?:st|nd|rd|th)$/.test(word) ? CLUE.ordinal : CLUE.number;
}
