import { GIVEN_NAMES, NAMES_AND_WORDS } from "./given-names.ts";
import {
  CAPITAL_BY_CUSTOM,
  GREATER_ORGANISATIONS,
  GREETINGS,
  OPENERS,
  PLACES,
  ROLES,
  TECHNOLOGIES,
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

/** Words of a name. */
const RUN_WORDS_MAX = 6;
/** Small words inside names: "Bank of America", "Ludwig van Beethoven". */
const INSIDE = new Set(["of", "de", "da", "di", "del", "della", "van", "von", "der", "den", "la", "le", "du", "al", "el", "bin", "ibn"]);
/** Words that a number belongs to. */
const NUMBERED = new Set("terminal room building gate phase level chapter sprint milestone tier floor highway route section step windows python java node android ios iphone ipad galaxy pixel gpt version release series model type area studio apollo".split(" "));
/** A sentence of so many words with hardly a small one is a heading: its capitals are custom. */
const HEADING_WORDS_MIN = 3;
const HEADING_CAPITALS = 0.7;

/** A text as names are read of it. */
export interface NamedText {
  readonly text: string;
  /** A turn of a conversation: a name between commas is most often addressed. */
  readonly turn: boolean;
}

/** The runs of capitals in a text that may be names. */
export function readNames(words: readonly Word[], { text, turn }: NamedText): NameRun[] {
  const evidence = capitalEvidence(words);
  const runs: NameRun[] = [];
  for (let from = 0; from < words.length; ) {
    const to = runEnd(words, from);
    for (const run of namesWithin(words, from, to, { evidence, text, turn })) runs.push(run);
    from = Math.max(to, from + 1);
  }
  return runs;
}

/** What the rest of a text tells of a capital. */
interface Evidence {
  /** Words that the text also writes small. */
  readonly small: ReadonlySet<string>;
  /** Words with a capital where no sentence begins. */
  readonly named: ReadonlySet<string>;
  /** For each word whether it stands in a heading or in shouted text. */
  readonly heading: readonly boolean[];
}

function capitalEvidence(words: readonly Word[]): Evidence {
  const small = new Set<string>();
  const named = new Set<string>();
  const heading: boolean[] = [];
  for (let from = 0; from < words.length; ) {
    let to = from + 1;
    while (to < words.length && words[to]?.gap !== "sentence") to++;
    const sentence = words.slice(from, to);
    const isHeading = isHeadingLike(sentence);
    for (const [i, word] of sentence.entries()) {
      heading.push(isHeading);
      if (!word.capital) small.add(word.lower);
      else if (i > 0 && !isHeading) named.add(word.lower);
    }
    from = to;
  }
  return { small, named, heading };
}

function isHeadingLike(sentence: readonly Word[]): boolean {
  const long = sentence.filter(({ lower }) => lower.length > 3 || !OPENERS.has(lower));
  if (long.length < HEADING_WORDS_MIN) return sentence.length > 1 && sentence.every(({ upper }) => upper);
  return long.filter(({ capital }) => capital).length / long.length > HEADING_CAPITALS && !long.some(isNameWord);
}

const isNameWord = ({ lower, text }: Word): boolean => isKnown(lower) || hasInnerCapital(text);
const isKnown = (lower: string): boolean =>
  GIVEN_NAMES.has(lower) || PLACES.has(lower) || TECHNOLOGIES.has(lower) || GREATER_ORGANISATIONS.has(lower);
export const hasInnerCapital = (text: string): boolean => /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}/u.test(text);

/** Index after the last word of the run of capitals that begins at `from`; `from` itself when none does. */
function runEnd(words: readonly Word[], from: number): number {
  if (!words[from]?.capital) return from;
  let to = from + 1;
  while (to - from < RUN_WORDS_MAX + 2) {
    const next = words[to];
    if (next?.gap !== "space") break;
    if (next.capital || (/^\d{1,4}$/.test(next.text) && NUMBERED.has(words[to - 1]?.lower ?? ""))) to++;
    else if (INSIDE.has(next.lower) && leadsOn(words, to)) to += words[to + 1]?.capital ? 2 : 3;
    else break;
  }
  return to;
}

/** Whether a name goes on after the small word at `at`: "of America", "of the Rings". */
function leadsOn(words: readonly Word[], at: number): boolean {
  const before = words[at - 1];
  const next = words[at + 1];
  if (next?.gap !== "space" || !before || ROLES.has(before.lower) || TITLES.has(before.lower)) return false;
  if (before.possessive || OPENERS.has(before.lower) || WEEKDAYS_AND_MONTHS.has(before.lower)) return false;
  if (next.capital) return true;
  const second = words[at + 2];
  return /^(?:the|la|der|los)$/.test(next.lower) && second?.gap === "space" && second.capital;
}

interface Place extends NamedText {
  readonly evidence: Evidence;
}

/** The names in one run: without what only has a capital because it begins a sentence, split at days and possessives. */
function namesWithin(words: readonly Word[], from: number, to: number, place: Place): NameRun[] {
  if (to <= from) return [];
  const parts: { from: number; to: number }[] = [];
  let begin = from;
  const quoted = isQuoted(words, from, to, place.text);
  for (let i = from; i < to; i++) {
    const word = words[i];
    if (!word) break;
    const isSeparator = WEEKDAYS_AND_MONTHS.has(word.lower) && !isPersonNamedLike(words, i, to);
    if (isSeparator) {
      parts.push({ from: begin, to: i });
      begin = i + 1;
    } else if (word.possessive && !quoted) {
      parts.push({ from: begin, to: i + 1 });
      begin = i + 1;
    }
  }
  parts.push({ from: begin, to });
  return parts.flatMap((part) => readRun(words, part.from, part.to, { ...place, quoted }) ?? []);
}

/** "May Chen", "April said": a month that is somebody. */
const isPersonNamedLike = (words: readonly Word[], at: number, to: number): boolean => {
  const word = words[at];
  const next = words[at + 1];
  return word !== undefined && NAMES_AND_WORDS.has(word.lower) && next !== undefined && at + 1 < to && !WEEKDAYS_AND_MONTHS.has(next.lower);
};

function isQuoted(words: readonly Word[], from: number, to: number, text: string): boolean {
  const first = words[from];
  const last = words[to - 1];
  if (!first || !last) return false;
  return /["“«]/.test(text.charAt(first.start - 1)) && /["”»]|[.,!?]["”»]/.test(text.slice(last.end, last.end + 2));
}

function readRun(words: readonly Word[], from: number, to: number, at: Place & { quoted: boolean }): NameRun | null {
  const stripped = at.quoted ? { from, titled: false } : stripStart(words, from, to);
  let end = to;
  while (!at.quoted && end > stripped.from && isTail(words[end - 1])) end--;
  const first = words[stripped.from];
  if (!first || end <= stripped.from || end - stripped.from > RUN_WORDS_MAX) return null;
  const kept = words.slice(stripped.from, end);
  if (isAddressed(words, stripped.from, end, at)) return null;
  const { titled } = stripped;
  const run = { words: kept, from: stripped.from, to: end, titled, quoted: at.quoted };
  if (kept.length === 1) return readSingle(run, first, at);
  const isHeading = at.evidence.heading[stripped.from] === true;
  if (!at.quoted && kept.every((word) => at.evidence.small.has(word.lower) || OPENERS.has(word.lower))) return null;
  return { ...run, sure: at.quoted || titled || !isHeading || kept.some(isNameWord) };
}

/** What ends no name: a word of custom, a number that stands for nothing. */
const isTail = (word: Word | undefined): boolean =>
  word !== undefined && (CAPITAL_BY_CUSTOM.has(word.lower) || INSIDE.has(word.lower) || OPENERS.has(word.lower)) && !isKnown(word.lower);

/** Leaves out titles and what only begins the sentence. */
function stripStart(words: readonly Word[], from: number, to: number): { from: number; titled: boolean } {
  let begin = from;
  let titled = false;
  for (; begin < to; begin++) {
    const word = words[begin];
    if (!word) break;
    const more = begin + 1 < to;
    if (TITLES.has(word.lower)) titled = more;
    else if (!isOpening(word, more) || isNewPlace(word, words[begin + 1], more)) break;
  }
  return { from: begin, titled };
}

/** "New York" begins with no opener; "New React" does. */
const isNewPlace = (word: Word, next: Word | undefined, more: boolean): boolean =>
  more && word.lower === "new" && next !== undefined && !isKnown(next.lower) && !OPENERS.has(next.lower);

function isOpening(word: Word, more: boolean): boolean {
  const { lower } = word;
  if (CAPITAL_BY_CUSTOM.has(lower) || GREETINGS.has(lower)) return true;
  if (word.gap !== "sentence") return more && OPENERS.has(lower) && !NAMES_AND_WORDS.has(lower);
  if (OPENERS.has(lower)) return !(more && NAMES_AND_WORDS.has(lower));
  return more && !isKnown(lower) && /(?:ed|ing)$/.test(lower);
}

/** Addressed, not spoken of: "Hey John", "Thanks, Mel!", "that is great, Anna!". */
function isAddressed(words: readonly Word[], from: number, to: number, { text, turn }: NamedText): boolean {
  const first = words[from];
  const last = words[to - 1];
  if (!first || !last || to - from > 2 || last.possessive) return false;
  const before = words[from - 1];
  const after = text.slice(last.end, last.end + 2);
  if (!before || first.gap === "sentence") return turn && /^[,!?]/.test(after) && to - from === 1 && isCalled(words, from);
  if (GREETINGS.has(before.lower)) return /^(?:$|[!?.,\n]|\s?[—–-]|\s?[\p{Extended_Pictographic}])/u.test(after);
  const afterComma = first.gap === "break" && /^,\s*$/.test(text.slice(before.end, first.start)) && !isNamed(before);
  return afterComma && (/^[!?]/.test(after) || (turn && /^(?:[.,]|$)/.test(after)));
}

/** After another name, a comma makes a list and addresses nobody. */
const isNamed = ({ capital, lower }: Word): boolean => capital && !OPENERS.has(lower);

/** Before "and", a comma makes a list and calls nobody. */
const isCalled = (words: readonly Word[], at: number): boolean => words[at + 1]?.capital !== true || words[at + 1]?.lower === "i";

function readSingle(run: Omit<NameRun, "sure">, word: Word, { evidence, text }: Place): NameRun | null {
  const { lower } = word;
  if (word.text.length < 2 || CAPITAL_BY_CUSTOM.has(lower) || WEEKDAYS_AND_MONTHS.has(lower)) return null;
  const isHeading = evidence.heading[run.from] === true;
  if (run.titled) return { ...run, sure: true };
  if (NAMES_AND_WORDS.has(lower) && word.gap === "sentence") return isDoer(text, word) ? { ...run, sure: true } : null;
  if (isKnown(lower)) return { ...run, sure: true };
  if (evidence.small.has(lower)) return null;
  if (word.upper) return readUpper(run, word, isHeading);
  if (OPENERS.has(lower) && !word.possessive) return null;
  const sure = !isHeading && (word.gap !== "sentence" || hasInnerCapital(word.text) || evidence.named.has(lower) || run.quoted);
  return { ...run, sure };
}

/** A word of capitals among words of capitals is shouted; one of more than six letters is as a rule. */
function readUpper(run: Omit<NameRun, "sure">, word: Word, isHeading: boolean): NameRun | null {
  if (COUNTRIES.has(word.text)) return { ...run, sure: true };
  if (isHeading || word.text.length > UPPER_LENGTH_MAX || OPENERS.has(word.lower)) return null;
  return { ...run, sure: true };
}
const UPPER_LENGTH_MAX = 6;
/** Small, they are other words. */
const COUNTRIES = new Set(["US", "UK", "EU", "UAE"]);

/** "Mark said": a word that is a name here. */
const isDoer = (text: string, word: Word): boolean =>
  /^ (?:is|was|has|had|said|says|told|asked|thinks|wants|likes|loves|went|works|lives|owns|leads|prefers|and [A-Z])\b/.test(text.slice(word.end, word.end + 16));
