import type { TimeWindow } from "./calendar.ts";
import { SHORT_MONTHS, SHORT_WEEKDAYS } from "./names.ts";

/** Where an expression stands in its text, in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** One way to write a date, found in a text, before it is known which of several dates it means. */
export interface DateExpression {
  readonly span: TextSpan;
  /** What comes round again: a date without a year each year, a weekday each week, "the 7th" each month. */
  readonly repeats: "week" | "month" | "year" | null;
  /** Stands for its middle, give or take: "two weeks ago". */
  readonly vague: boolean;
  /** Names its first and its last day: "3 to 7 May". */
  readonly range: boolean;
  /** The window of one turn: 0 is the week, month or year of the reference, 1 the next. Null where there is none. */
  window(turn: number): TimeWindow | null;
  /** The same of the whole, where it names only a part: the June of "early June". */
  whole?(turn: number): TimeWindow | null;
}

/** What a pattern reads from its match: an expression but for its place. */
export type DateMatch = Omit<DateExpression, "span">;

export interface DateMatchContext {
  /** The moment of writing, in epoch milliseconds. */
  readonly reference: number;
  readonly text: string;
  readonly match: RegExpExecArray;
}

/** A regular expression (global) and what its match means; null where the context says that it is no date after all. */
export interface DatePattern {
  /** Bits of `CLUE`: texts that lack any of them cannot match. */
  readonly needs: number;
  readonly regex: RegExp;
  read(context: DateMatchContext): DateMatch | null;
}

/** What most readings are: neither vague nor a range. */
export const PLAIN = { vague: false, range: false } as const;

/** A reading of one window that does not come round again; without one, of words that name no date, nor does a part of them. */
export const fixed = (window: TimeWindow | null, traits: Partial<DateMatch> = {}): DateMatch => ({
  repeats: null,
  ...PLAIN,
  window: () => window,
  ...traits,
});

export const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
export const WEEKDAY =
  "(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)";
export const YEAR = "(?:19[7-9]\\d|20\\d\\d|2100)";
/** Behind a month: years that are taken for no date as well, so that the month is not one of this year. */
export const ANY_YEAR = "(?:1[6-9]|2\\d)\\d\\d";
export const DAY = "(?:[12]\\d|3[01]|0?[1-9])";
export const ORDINAL = "(?:st|nd|rd|th)";
export const UNIT = "(?:hour|day|week|month|quarter|year)";
export const COUNT =
  "(?:\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a |the )?(?:couple(?: of)?|few)|several|half an?)";
/** No part of a longer number, word, path or price. */
export const ALONE = "(?<![\\w.\\-/#$€£:])";
/** Nor followed by what would make it one. */
export const ENDS = "(?![\\w%]|[.\\-/:,]\\d)";

const COUNT_NAMES = "one two three four five six seven eight nine ten eleven twelve".split(" ");

/** 0 to 11 for the name of a month, long or short. */
export const monthOf = (name: string): number => SHORT_MONTHS.indexOf(name.slice(0, 3).toLowerCase());
/** Days after Monday for the name of a weekday, long or short. */
export const weekdayOf = (name: string): number => SHORT_WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase());

/** The number that a count means: "a couple of" is 2, "a few" 3, "several" 4, "half a" one half. */
export function countOf(word: string): number {
  const lower = word.toLowerCase();
  if (/^\d/.test(lower)) return Number(lower);
  if (lower.startsWith("half")) return 0.5;
  if (lower.includes("couple")) return 2;
  if (lower.includes("few")) return 3;
  if (lower === "several") return 4;
  return Math.max(1, COUNT_NAMES.indexOf(lower) + 1);
}

/** The unit named by a word such as "weeks" or "month". */
export function unitOf(word: string): "hour" | "day" | "week" | "month" | "quarter" | "year" {
  const units = ["hour", "day", "week", "month", "quarter"] as const;
  return units.find((unit) => word.toLowerCase().startsWith(unit)) ?? "year";
}

/** The text right before a place, in lower case: what a date's meaning may hinge on. */
export const wordsBefore = (text: string, index: number): string =>
  text.slice(Math.max(0, index - 40), index).toLowerCase();
