import { MONTH_FORMS, WEEKDAY_FORMS } from "./dates/names.ts";

/** Kinds of words that say what a text may hold; bits, so that a pattern may need several. */
export const CLUE = {
  year: 1 << 0,
  month: 1 << 1,
  weekday: 1 << 2,
  /** today, yesterday, last night */
  day: 1 << 3,
  /** weeks, months */
  unit: 1 << 4,
  /** last, this, next */
  near: 1 << 5,
  /** ago, back, now */
  away: 1 << 6,
  season: 1 << 7,
  /** Q3, H1, half, quarter */
  part: 1 << 8,
  /** 7th */
  ordinal: 1 << 9,
  number: 1 << 10,
  decided: 1 << 11,
  preferred: 1 << 12,
  planned: 1 << 13,
  /** must, needs to */
  obliged: 1 << 14,
  /** remember to, please */
  asked: 1 << 15,
  happened: 1 << 16,
  confirmed: 1 << 17,
  stressed: 1 << 18,
  hedged: 1 << 19,
  /** password, token */
  secret: 1 << 20,
  /** A word too long to be one: a key or a code. */
  code: 1 << 21,
} as const;
export type Clue = keyof typeof CLUE;

const WORDS: Readonly<Partial<Record<Clue, string>>> = {
  month: MONTH_FORMS.join(" "),
  weekday: WEEKDAY_FORMS.join(" "),
  day: "yesterday today tonight tomorrow night morning afternoon evening",
  unit: "hour hours day days week weeks month months quarter quarters year years weekend",
  near: "last past previous this current next coming upcoming following",
  away: "ago back now",
  season: "spring summer autumn fall winter",
  part: "q1 q2 q3 q4 h1 h2 quarter half",
  decided: `decided decision chose chosen opted settled agreed resolved picked voted approved greenlit go going will ll
    are`,
  preferred: `prefer prefers rather like likes love loves hate hates enjoy enjoys detests adores dislike dislikes favorite
    favourite always stand fan fond keen`,
  planned: `plan plans planned planning intend intends intending aim aims aiming hope hopes hoping going will ll scheduled
    roadmap milestone milestones next`,
  obliged: "need needs must has have should ought got is",
  asked: "remember forget remind follow assigned action please",
  happened: `happened occurred took met visited attended celebrated crashed went broke launched arrived outage incident had
    got passed moved talked spoke discussed announced`,
  confirmed: "confirmed verified checked doublechecked",
  stressed: `critical crucial important importantly urgent vital essential mandatory never must required do warning
    security legally emergency allergic allergy`,
  hedged: `maybe perhaps might sure guess possibly rumor rumors rumour rumours apparently unconfirmed allegedly probably
    supposedly`,
  secret: `password passwd passphrase passcode pwd secret token tokens bearer pin private key keys api apikey http https
    postgres postgresql mysql mongodb redis amqp ftp ssh ssn passport`,
};

const CLUES: ReadonlyMap<string, number> = (() => {
  const clues = new Map<string, number>();
  for (const [kind, bit] of Object.entries(CLUE)) {
    const words: readonly string[] = Object.entries(WORDS).flatMap(([name, list]) =>
      name === kind ? list.split(/\s+/) : [],
    );
    for (const word of words) clues.set(word, (clues.get(word) ?? 0) | bit);
  }
  return clues;
})();

/** The words of a text as clues are looked up: lower-case letters and digits of English. */
export const plainWords = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** The kinds of words among these, as bits of `CLUE`: one look at each word spares most texts every pattern. */
export function cluesOf(words: readonly string[]): number {
  let found = 0;
  for (const word of words) found |= CLUES.get(word) ?? shapeOf(word);
  return found;
}

/** Words shorter than this are words. */
const CODE_LENGTH_MIN = 16;
const DIGIT_0 = 48;
const DIGIT_9 = 57;

function shapeOf(word: string): number {
  const code = word.length >= CODE_LENGTH_MIN ? CLUE.code : 0;
  const first = word.charCodeAt(0);
  if (first < DIGIT_0 || first > DIGIT_9) return code;
  if (/^(?:19[7-9]|20\d|210)\d/.test(word)) return CLUE.year | CLUE.number | code;
  return (/^\d{1,2}(?:st|nd|rd|th)$/.test(word) ? CLUE.ordinal : CLUE.number) | code;
}
