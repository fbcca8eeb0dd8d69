import type { Token } from "../claims/lexer.ts";
import { STOP_WORDS } from "../words/terms.ts";
import { dateKey, monthOf, SEASONS, weekdayOf } from "./date-arithmetic.ts";
import { readRelativeDate } from "./relative-date-value.ts";
import type { DateParts, ValueMatch, ValueReader } from "./value.ts";

/** Prepositions before which a bare year or a season is a date. */
const BEFORE_DATE =
  /^(?:in|since|by|until|till|before|after|from|of|during|for|to|on|early|late|mid|around|next|last|this)$/;
const DAYS: ReadonlyMap<string, "weekdays" | "weekend"> = new Map([
  ["weekdays", "weekdays"],
  ["workdays", "weekdays"],
  ["weekends", "weekend"],
  ["weekend", "weekend"],
]);
const DAY_MAX = 31;
/** Fiscal years are written with two digits of this century. */
const CENTURY = 2000;
const ORDINAL = /^(?:st|nd|rd|th)$/;
const QUARTER_WORDS = ["first", "second", "third", "fourth"];

/** Dates: ISO and numeric ones, day and month names, quarters, seasons, years, and words relative to the reference. */
export const readDate: ValueReader = (tokens, index, reference_ms) => {
  const token = tokens[index];
  if (token === undefined) return null;
  if (token.kind === "date") return toReading(writtenDate(token.text), index + 1);
  const fiscal = /^fy(?:20)?(\d\d)$/.exec(token.lower);
  if (fiscal) return toReading({ year: CENTURY + Number(fiscal[1]) }, index + 1);
  const quarter = readQuarter(tokens, index);
  if (quarter !== null) return quarter;
  const ordinal = readOrdinalDay(tokens, index);
  if (ordinal !== null) return ordinal;
  const found =
    readMonthFirst(tokens, index) ??
    readDayFirst(tokens, index) ??
    readRelativeDate(tokens, index, reference_ms) ??
    readBare(tokens, index);
  return found && toReading(found.parts, found.to);
};

export interface DateRead {
  readonly parts: DateParts;
  readonly to: number;
}

function toReading(parts: DateParts | null, to: number): ValueMatch | null {
  if (parts === null) return null;
  return { value: isThere(parts) ? { kind: "date", key: dateKey(parts), date: parts } : null, to };
}

/** A leap year, for days whose year is not told. */
const SOME_LEAP_YEAR = 2000;

/** Whether the calendar has such a day: 29 February in leap years, 31 April never. */
function isThere({ year = SOME_LEAP_YEAR, month, day }: DateParts): boolean {
  return (
    month === undefined || day === undefined || new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1
  );
}

/** Dots stand in dates that begin with the day. With slashes nobody can tell 3/4 from 4/3, which then is no date. */
function writtenDate(text: string): DateParts | null {
  const [a = 0, b = 0, c = 0] = text.split(/[-/.]/).map(Number);
  if (text.includes("/") && a <= 12 && b <= 12 && a !== b) return null;
  const dayFirst = text.includes(".") || a > 12;
  const parts = /^\d{4}/.test(text)
    ? { year: a, month: b, day: c }
    : { year: c, month: dayFirst ? b : a, day: dayFirst ? a : b };
  return parts.month >= 1 && parts.month <= 12 && parts.day >= 1 && parts.day <= DAY_MAX ? parts : null;
}

/** "May" and "March" are months only where they are written as such. */
function monthAt(tokens: readonly Token[], index: number): number | undefined {
  const token = tokens[index];
  const month = token && monthOf(token.lower);
  if (token === undefined || month === undefined) return undefined;
  return token.capital || !/^(?:may|march|mar|jun|sep|dec|oct)$/.test(token.lower) ? month : undefined;
}

function yearAt(tokens: readonly Token[], index: number): number | undefined {
  const token = tokens[index];
  return token?.kind === "number" && /^(?:19|20)\d\d$/.test(token.text) ? Number(token.text) : undefined;
}

/** The day of the month at a token, with or without its ending. */
function dayAt(
  tokens: readonly Token[],
  index: number,
): { readonly day: number; readonly to: number; readonly ordinal: boolean } | null {
  const token = tokens[index];
  if (token?.kind !== "number" || !/^\d{1,2}$/.test(token.text)) return null;
  const day = Number(token.text);
  if (day < 1 || day > DAY_MAX) return null;
  const ordinal = tokens[index + 1]?.glued === true && ORDINAL.test(tokens[index + 1]?.lower ?? "");
  return { day, to: ordinal ? index + 2 : index + 1, ordinal };
}

/** "May 3", "May 3rd, 2025", "May 2025", "in May". */
function readMonthFirst(tokens: readonly Token[], index: number): DateRead | null {
  const month = monthAt(tokens, index);
  if (month === undefined) return null;
  const day = dayAt(tokens, index + 1);
  if (day !== null && tokens[day.to]?.text !== ":") return withYear(tokens, { month, day: day.day }, day.to);
  if (
    tokens[index]?.lower === "may" &&
    !BEFORE_DATE.test(tokens[index - 1]?.lower ?? "") &&
    yearAt(tokens, index + 1) === undefined
  )
    return null;
  return withYear(tokens, { month }, index + 1);
}

function withYear(tokens: readonly Token[], parts: DateParts, to: number): DateRead {
  const comma = tokens[to]?.text === "," ? 1 : 0;
  const year = yearAt(tokens, to + comma);
  return year === undefined ? { parts, to } : { parts: { ...parts, year }, to: to + comma + 1 };
}

/** "3 May", "3rd of May 2025", "the 25th". */
function readDayFirst(tokens: readonly Token[], index: number): DateRead | null {
  const day = dayAt(tokens, index);
  if (day === null) return null;
  const of = tokens[day.to]?.lower === "of" ? 1 : 0;
  const month = monthAt(tokens, day.to + of);
  if (month !== undefined) return withYear(tokens, { month, day: day.day }, day.to + of + 1);
  const next = tokens[day.to];
  const ends = next === undefined || next.kind === "mark" || /^(?:of|and|at|instead|now|every|each)$/.test(next.lower);
  return day.ordinal && tokens[index - 1]?.lower === "the" && ends ? { parts: { day: day.day }, to: day.to } : null;
}

const ORDINAL_DAYS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/** "the first of each month", "the tenth of May". */
function readOrdinalDay(tokens: readonly Token[], index: number): ValueMatch | null {
  const day = ORDINAL_DAYS.indexOf(tokens[index]?.lower ?? "") + 1;
  if (day === 0 || tokens[index + 1]?.lower !== "of") return null;
  const month = monthAt(tokens, index + 2);
  if (month !== undefined) return toReading({ month, day }, index + 3);
  const isMonth = /^(?:each|every|the|a)$/.test(tokens[index + 2]?.lower ?? "") && tokens[index + 3]?.lower === "month";
  return isMonth ? toReading({ day }, index + 4) : null;
}

/** "Q2", "Q2 2025", "second quarter". */
function readQuarter(tokens: readonly Token[], index: number): ValueMatch | null {
  const token = tokens[index];
  const short = /^q([1-4])$/.exec(token?.lower ?? "");
  const word = QUARTER_WORDS.indexOf(token?.lower ?? "") + 1;
  const isWords = word > 0 && tokens[index + 1]?.lower === "quarter";
  if (!short && !isWords) return null;
  const found = withYear(tokens, { quarter: short ? Number(short[1]) : word }, short ? index + 1 : index + 2);
  return toReading(found.parts, found.to);
}

/** Weekdays, seasons and years that stand alone. */
function readBare(tokens: readonly Token[], index: number): DateRead | null {
  const token = tokens[index];
  if (token === undefined) return null;
  const weekday = weekdayOf(token.lower);
  if (weekday !== undefined && (token.capital || token.lower.length > 4)) return { parts: { weekday }, to: index + 1 };
  const days = DAYS.get(token.lower);
  if (days !== undefined) return { parts: { days }, to: index + 1 };
  if (!isDated(tokens, index)) return null;
  const season = token.lower === "fall" ? "autumn" : token.lower;
  if (SEASONS.has(season))
    return withYear(tokens, { season }, tokens[index + 1]?.lower === "of" ? index + 2 : index + 1);
  const year = yearAt(tokens, index);
  return year === undefined || isCountedNext(tokens[index + 1]) ? null : { parts: { year }, to: index + 1 };
}

/** Stands behind a preposition of time, with or without an article. */
function isDated(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.lower ?? "";
  return BEFORE_DATE.test(before === "the" ? (tokens[index - 2]?.lower ?? "") : before);
}

/** "for 2000 people" counts people; a year ends its phrase. */
const isCountedNext = (next: Token | undefined): boolean =>
  next !== undefined &&
  next.kind === "word" &&
  !STOP_WORDS.has(next.lower) &&
  !next.capital &&
  !/^(?:and|or|the|but|when|as|at|in|it|he|she|they|we|with|for|to)$/.test(next.lower) &&
  next.lower.endsWith("s");
