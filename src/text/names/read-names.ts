import type { NamedText } from "./address.ts";
import { isAddressed } from "./address.ts";
import type { Capitals } from "./capitals.ts";
import { hasInnerCapital, isKnownName, isNameWord, readCapitals } from "./capitals.ts";
import { NAMES_AND_WORDS } from "./given-names.ts";
import {
  CAPITAL_BY_CUSTOM,
  GREETINGS,
  INSIDE_NAMES,
  NUMBERED,
  OPENERS,
  ROLES,
  TITLES,
  WEEKDAYS_AND_MONTHS,
} from "./lexicon.ts";
import type { Word } from "./words.ts";

/** Words with capitals that stand together: one name, as far as their form tells. */
export interface NameRun {
  readonly words: readonly Word[];
  /** Index of the first word in the text, and of the one after the last. */
  readonly from: number;
  readonly to: number;
  /** The capital is no sentence's. */
  readonly sure: boolean;
  /** A title or a word of kinship stands before it. */
  readonly titled: boolean;
  /** Stands in quotes by itself: the title of something. */
  readonly quoted: boolean;
}

/** Words of a name, and of what stands together before it is looked at. */
const NAME_WORDS_MAX = 6;
const RUN_WORDS_MAX = 8;
/** Longest word of capitals that is an abbreviation rather than shouted. */
const ABBREVIATION_LENGTH_MAX = 6;
/** Small, they are other words. */
const COUNTRIES = new Set(["US", "UK", "EU", "UAE"]);

interface WordRange {
  readonly from: number;
  readonly to: number;
}

interface NameContext extends NamedText {
  readonly words: readonly Word[];
  readonly capitals: Capitals;
}

/** The runs of capitals in a text that may be names. */
export function readNames(words: readonly Word[], text: NamedText): NameRun[] {
  const reading = { ...text, words, capitals: readCapitals(words) };
  const runs: NameRun[] = [];
  for (let from = 0; from < words.length; ) {
    const to = runEnd(words, from);
    if (to > from) runs.push(...namesWithin(reading, { from, to }));
    from = Math.max(to, from + 1);
  }
  return runs;
}

/** Index after the last word of the run of capitals that begins at `from`; `from` itself when none does. */
function runEnd(words: readonly Word[], from: number): number {
  if (!words[from]?.capital) return from;
  let to = from + 1;
  for (let more = 1; more > 0 && to - from < RUN_WORDS_MAX; to += more) more = wordsMore(words, to);
  return to;
}

/** How many of the words at an index go on with the name before it. */
function wordsMore(words: readonly Word[], index: number): number {
  const word = words[index];
  const before = words[index - 1];
  if (word?.gap !== "space" || !before) return 0;
  if (word.capital) return 1;
  if (/^\d{1,4}$/.test(word.text)) return NUMBERED.has(before.lower) ? 1 : 0;
  if (!INSIDE_NAMES.has(word.lower) || !canGoOn(before)) return 0;
  const [next, second] = [words[index + 1], words[index + 2]];
  if (next?.gap !== "space") return 0;
  if (next.capital) return 2;
  return /^(?:the|la|der|los)$/.test(next.lower) && second?.gap === "space" && second.capital ? 3 : 0;
}

/** "Bank of America" is one name, "CEO of Acme" and "March of 2020" are not. */
const canGoOn = ({ lower, possessive }: Word): boolean =>
  !possessive && ![ROLES, TITLES, OPENERS, WEEKDAYS_AND_MONTHS].some((words) => words.has(lower));

/** The names in one run: split at days and possessives, and without what only begins the sentence. */
function namesWithin(reading: NameContext, run: WordRange): NameRun[] {
  const { words, text } = reading;
  if (isQuoted(words, run, text)) return readName(reading, run, { titled: false, quoted: true });
  const parts: WordRange[] = [];
  let from = run.from;
  for (let i = run.from; i < run.to; i++) {
    const word = words[i];
    if (!word) break;
    const isDay = isDayName(words, i, run.to);
    if (!isDay && !word.possessive) continue;
    parts.push({ from, to: isDay ? i : i + 1 });
    from = i + 1;
  }
  parts.push({ from, to: run.to });
  return parts.flatMap((part) => readPart(reading, part));
}

/** A day or a month, unless more of a name follows: "May Chen". */
function isDayName(words: readonly Word[], index: number, to: number): boolean {
  const { lower = "" } = words[index] ?? {};
  if (!WEEKDAYS_AND_MONTHS.has(lower)) return false;
  return !(NAMES_AND_WORDS.has(lower) && index + 1 < to && !WEEKDAYS_AND_MONTHS.has(words[index + 1]?.lower ?? ""));
}

function isQuoted(words: readonly Word[], { from, to }: WordRange, text: string): boolean {
  const { start = 0 } = words[from] ?? {};
  const { end = 0 } = words[to - 1] ?? {};
  return /["“«]/.test(text.charAt(start - 1)) && /^[.,!?]?["”»]/.test(text.slice(end, end + 2));
}

/** Strips what is no part of the name from both ends. */
function readPart(reading: NameContext, part: WordRange): NameRun[] {
  const { from, titled } = nameStart(reading.words, part);
  let to = part.to;
  while (to > from && isTail(reading.words[to - 1])) to--;
  if (to <= from || isAddressed(reading.words, { from, to }, reading)) return [];
  return readName(reading, { from, to }, { titled, quoted: false });
}

const isTail = (word: Word | undefined): boolean =>
  word !== undefined &&
  !isKnownName(word.lower) &&
  [CAPITAL_BY_CUSTOM, INSIDE_NAMES, OPENERS].some((words) => words.has(word.lower));

/** Leaves out titles and what only begins the sentence. */
function nameStart(words: readonly Word[], { from, to }: WordRange): { from: number; titled: boolean } {
  let begin = from;
  let titled = false;
  for (; begin < to; begin++) {
    const word = words[begin];
    const next = begin + 1 < to ? words[begin + 1] : undefined;
    if (!word) break;
    if (TITLES.has(word.lower)) titled = next !== undefined;
    else if (!isOpening(word, next)) break;
  }
  return { from: begin, titled };
}

/** Whether a word only begins what is said, and the name comes after it. */
function isOpening(word: Word, next: Word | undefined): boolean {
  const { lower } = word;
  if (CAPITAL_BY_CUSTOM.has(lower) || GREETINGS.has(lower)) return true;
  if (next === undefined) return word.gap === "sentence" && OPENERS.has(lower);
  if (OPENERS.has(lower)) return !NAMES_AND_WORDS.has(lower) && !isNewPlace(lower, next);
  return word.gap === "sentence" && !isKnownName(lower) && /(?:ed|ing)$/.test(lower);
}

/** "New York" begins with no opener; "New React" does. */
const isNewPlace = (lower: string, next: Word): boolean =>
  lower === "new" && !isKnownName(next.lower) && !OPENERS.has(next.lower);

type Form = Pick<NameRun, "titled" | "quoted">;

function readName({ words, text, capitals }: NameContext, { from, to }: WordRange, form: Form): NameRun[] {
  const own = words.slice(from, to);
  const [first] = own;
  if (!first || own.length > NAME_WORDS_MAX) return [];
  const run = { words: own, from, to, ...form };
  const isHeading = capitals.heading[from] === true;
  if (own.length === 1) {
    const sure = isSureSingle(first, { text, capitals, isHeading, form });
    return sure === null ? [] : [{ ...run, sure }];
  }
  const isCommon = own.every(({ lower }) => capitals.small.has(lower) || OPENERS.has(lower));
  if (isCommon && !form.quoted) return [];
  return [{ ...run, sure: form.quoted || form.titled || !isHeading || own.some(isNameWord) }];
}

interface Single {
  readonly text: string;
  readonly capitals: Capitals;
  readonly isHeading: boolean;
  readonly form: Form;
}

/** Whether one word with a capital is surely a name; null when it is surely none. */
function isSureSingle(word: Word, single: Single): boolean | null {
  const { lower } = word;
  if (word.text.length < 2 || CAPITAL_BY_CUSTOM.has(lower) || WEEKDAYS_AND_MONTHS.has(lower)) return null;
  if (single.form.titled) return true;
  if (NAMES_AND_WORDS.has(lower) && word.gap === "sentence") return isDoer(single.text, word) || null;
  if (isKnownName(lower) || COUNTRIES.has(word.text)) return true;
  if (single.capitals.small.has(lower)) return null;
  return word.upper ? isAbbreviation(word, single) || null : hasEvidence(word, single);
}

/** A word of capitals among words of capitals is shouted. */
const isAbbreviation = ({ text, lower }: Word, { isHeading }: Single): boolean =>
  !isHeading && text.length <= ABBREVIATION_LENGTH_MAX && !OPENERS.has(lower);

/** Where its capital may be that of the sentence, only its form or the rest of the text make it a name. */
function hasEvidence(word: Word, { capitals, isHeading, form }: Single): boolean | null {
  if (OPENERS.has(word.lower) && !word.possessive) return null;
  if (isHeading) return false;
  return word.gap !== "sentence" || form.quoted || hasInnerCapital(word.text) || capitals.named.has(word.lower);
}

const DOES =
  /^ (?:is|was|has|had|said|says|told|asked|thinks|wants|likes|loves|went|works|lives|owns|leads|prefers|and [A-Z])\b/;

/** "Mark said": a word that is a name here. */
const isDoer = (text: string, { end }: Word): boolean => DOES.test(text.slice(end, end + 16));
