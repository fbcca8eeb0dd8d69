import { DAY_MS } from "../../core/kernel/clock.ts";
import { CLUE } from "../clues.ts";
import type { TimeWindow } from "./calendar.ts";
import { dayWindow, isoWeek, monthsWindow } from "./calendar.ts";
import { isVersionOrPrice } from "./not-dates.ts";
import type { DateMatch, DateMatchContext, DatePattern } from "./vocabulary.ts";
import { ALONE, ANY_YEAR, DAY, ENDS, fixed, MONTH, monthOf, ORDINAL, PLAIN, wordsBefore, YEAR } from "./vocabulary.ts";

const pattern = (source: string): RegExp => new RegExp(source, "gi");

/** A number and a plural after a month or year: people are counted there, not days. */
const COUNTED =
  "(?!\\s+(?!(?:is|was|as|has|does|this|works?|starts?|begins|ends|marks|means|falls|comes|opens|closes|looks|seems|brings|towards|perhaps|always)\\b)(?:people|men|women|children|percent|million|thousand|hundred|[a-z]{2,}[^s\\W\\d]s)\\b)";
/** Behind a day and its month; people that are counted there are no year. */
const NAMED_YEAR = `(${YEAR}\\b|${ANY_YEAR}\\b${COUNTED})`;
/** Words after which a bare month or year is a date. */
const DATED =
  /(?:^|[^a-z])(?:in|since|until|till|before|after|during|from|between|early|late|mid|around|through|throughout|past|coming|as of|by)[\s-]+(?:the )?$/;
/** What comes before a month that is written with a capital: another month, a day, or words as for things. */
const DATED_NAME = new RegExp(
  `(?:^|[^a-z])(?:of|this|every|each)\\s+(?:the )?$|(?:${MONTH}|\\d)\\s*(?:to|–|—|-)\\s*(?:the )?$|\\b(?:in|of|between|from) ${MONTH} (?:and|or) $`,
);
/** Names of months that are also words or names of people. */
const AMBIGUOUS = /^(?:may|march|mar|april|apr|june|jun|august|aug|jan|dec|sep|sept)$/i;

const yearly = (inYear: (year: number) => TimeWindow | null, { reference }: DateMatchContext): DateMatch => ({
  repeats: "year",
  ...PLAIN,
  window: (turn) => inYear(new Date(reference).getUTCFullYear() + turn),
});

/** A window in a named year, or in whichever year the context tells. */
function dated(
  year: string | undefined,
  inYear: (year: number) => TimeWindow | null,
  context: DateMatchContext,
): DateMatch | null {
  return year === undefined ? yearly(inYear, context) : fixed(inYear(Number(year)));
}

const asRange = (reading: DateMatch | null): DateMatch | null => reading && { ...reading, range: true };

const isCapital = (word: string): boolean => /^[A-Z]/.test(word);

/** Whether a month that stands alone is one: "in March", but not "they march" or "you may". */
function standsAsMonth({ text, match }: DateMatchContext): boolean {
  const [word] = match;
  const before = wordsBefore(text, match.index);
  if (DATED.test(before)) return true;
  if (isCapital(word) && DATED_NAME.test(before)) return true;
  return !AMBIGUOUS.test(word.replace(".", "")) && word.length > 4;
}

/** "by 2000" after "increased" and "of 2000" after "total" are amounts. */
const AMOUNT = /(?:ed|grew|rose|fell|sum|total|out|limit|maximum|minimum|average|number|amount)\s+(?:by|of|to)\s+$/;
const YEAR_AFTER_OF =
  /(?:end|beginning|start|middle|half|quarter|year|season|part|rest|most|spring|summer|autumn|fall|winter|weeks?|months?|days?)\s+of\s+$/;

function standsAsYear({ text, match }: DateMatchContext): boolean {
  const before = wordsBefore(text, match.index);
  if (AMOUNT.test(before)) return false;
  return DATED.test(before) || YEAR_AFTER_OF.test(before) || /(?:year|summer|spring|autumn|winter)\s+$/.test(before);
}

function isoInstant([, year, month, day, time, zone]: RegExpExecArray): TimeWindow | null {
  const window = dayWindow(Number(year), Number(month) - 1, Number(day));
  if (!window || time === undefined) return window;
  const start = Date.parse(`${year}-${month}-${day}T${time}${zone ?? "Z"}`);
  return Number.isNaN(start) ? window : { start, end: window.end };
}

/** Slashes: the part above twelve is the day; where neither is, nobody can tell. */
function slashed(first: number, second: number, year: number): TimeWindow | null {
  if (first > 12) return dayWindow(year, second - 1, first);
  if (second > 12 || first === second) return dayWindow(year, first - 1, second);
  return null;
}

/** Days of one month, first and last named. */
function daysOfMonth(year: number, month: number, first: number, last: number): TimeWindow | null {
  const [from, to] = [dayWindow(year, month, first), dayWindow(year, month, last)];
  return from && to && to.end > from.start ? { start: from.start, end: to.end } : null;
}

const YEAR_MS = 366 * DAY_MS;
const TO = "\\s*(?:-|–|—|to|until|till|through|thru)\\s*";
const BETWEEN_AND = "(?:between\\s+(?:the\\s+)?)";

/** Dates in figures alone, which no language writes as another does. */
export const NUMERIC: readonly DatePattern[] = [
  {
    needs: CLUE.year,
    regex: pattern(
      `${ALONE}(${YEAR})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(?:[T ](\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,3})?)?)(Z|[+-]\\d\\d:\\d\\d)?)?(?![\\w-]|[.:]\\d)`,
    ),
    read: ({ match }) => fixed(isoInstant(match)),
  },
  {
    needs: CLUE.year,
    regex: pattern(`${ALONE}(${YEAR})[-/](0[1-9]|1[0-2])${ENDS}`),
    // "ticket 2026-03" is a number, "in 2026-03" a month.
    read: ({ text, match }) =>
      /(?:ticket|issue|order|invoice|case|build|version|release|no\.?|number|id|cve|pr|room)\s+$/.test(
        wordsBefore(text, match.index),
      )
        ? null
        : fixed(monthsWindow(Number(match[1]), Number(match[2]) - 1, 1)),
  },
  {
    needs: CLUE.year,
    regex: pattern(`${ALONE}(${YEAR})-?W(0[1-9]|[1-4]\\d|5[0-3])${ENDS}`),
    read: ({ match }) => fixed(isoWeek(Number(match[1]), Number(match[2]))),
  },
  {
    needs: CLUE.year,
    regex: pattern(`${ALONE}(${YEAR})/(0?[1-9]|1[0-2])/(${DAY})${ENDS}`),
    read: ({ match }) => fixed(dayWindow(Number(match[1]), Number(match[2]) - 1, Number(match[3]))),
  },
  {
    needs: CLUE.year,
    regex: pattern(`${ALONE}(${DAY})\\.\\s?(0?[1-9]|1[0-2])\\.\\s?(${YEAR})${ENDS}`),
    read: ({ text, match }) =>
      isVersionOrPrice(text, match.index, match.index + match[0].length)
        ? null
        : fixed(dayWindow(Number(match[3]), Number(match[2]) - 1, Number(match[1]))),
  },
];

/** Dates that name their day, month or year, in whatever order. */
export const ABSOLUTE: readonly DatePattern[] = [
  ...NUMERIC,
  {
    needs: CLUE.year,
    regex: pattern(`${ALONE}(${DAY})/(${DAY})/(${YEAR})${ENDS}`),
    read: ({ match }) => fixed(slashed(Number(match[1]), Number(match[2]), Number(match[3]))),
  },
  {
    // 3 to 7 May 2026
    needs: CLUE.month | CLUE.number,
    regex: pattern(
      `${ALONE}(?:(${DAY})${ORDINAL}?${TO}|${BETWEEN_AND}(${DAY})${ORDINAL}?\\s+and\\s+(?:the\\s+)?)(${DAY})${ORDINAL}?(?:\\s+of)?\\s+(${MONTH})\\b\\.?(?:,?\\s+${NAMED_YEAR})?`,
    ),
    read: (context) => {
      const [, to, and, last, month = "", year] = context.match;
      return asRange(dated(year, (y) => daysOfMonth(y, monthOf(month), Number(to ?? and), Number(last)), context));
    },
  },
  {
    // May 3-7, 2026
    needs: CLUE.month | CLUE.number,
    regex: pattern(
      `\\b(${MONTH})\\.?\\s+(?:the\\s+)?(${DAY})${ORDINAL}?(?:${TO}|\\s+and\\s+)(${DAY})${ORDINAL}?(?:,?\\s+${NAMED_YEAR})?(?!\\w|[.:]\\d)(?!\\s+${MONTH}\\b)${COUNTED}`,
    ),
    read: (context) => {
      const [whole, month = "", first, last, year] = context.match;
      const isListed = /\sand\s/i.test(whole) && !/between\s+$/.test(wordsBefore(context.text, context.match.index));
      if (isListed) return null;
      return asRange(dated(year, (y) => daysOfMonth(y, monthOf(month), Number(first), Number(last)), context));
    },
  },
  {
    // 5 May 2026, the 5th of May
    needs: CLUE.month | CLUE.number,
    regex: pattern(`${ALONE}(${DAY})${ORDINAL}?(?:\\s+of)?\\s+(${MONTH})\\b\\.?(?:,?\\s+${NAMED_YEAR})?`),
    read: (context) => {
      const [, day, month = "", year] = context.match;
      return dated(year, (y) => dayWindow(y, monthOf(month), Number(day)), context);
    },
  },
  {
    // May 5, 2026
    needs: CLUE.month | CLUE.number,
    regex: pattern(
      `\\b(${MONTH})\\.?\\s+(?:the\\s+)?(${DAY})(?:${ORDINAL}\\b|(?!\\w|[.:]\\d)${COUNTED})(?:,?\\s+${NAMED_YEAR})?`,
    ),
    read: (context) => {
      const [, month = "", day, year] = context.match;
      const isVerb = /^(?:may|march)$/.test(month) && !DATED.test(wordsBefore(context.text, context.match.index));
      return isVerb ? null : dated(year, (y) => dayWindow(y, monthOf(month), Number(day)), context);
    },
  },
  {
    needs: CLUE.month | CLUE.number,
    regex: pattern(`\\b(${MONTH})\\.?,?\\s+(?:of\\s+)?(${ANY_YEAR})\\b(?![-/]\\d)${COUNTED}`),
    read: ({ match }) => fixed(monthsWindow(Number(match[2]), monthOf(match[1] ?? ""), 1)),
  },
  {
    needs: CLUE.month,
    regex: pattern(`(?<![\\w-])(${MONTH})\\b(?!['’]?\\w)`),
    read: (context) =>
      standsAsMonth(context) ? yearly((y) => monthsWindow(y, monthOf(context.match[0]), 1), context) : null,
  },
  {
    needs: CLUE.year,
    regex: pattern(
      `\\b(?:from|between|during)?\\s*${ALONE}(${YEAR})\\s*(?:-|–|—|to|and|until|through)\\s*(${YEAR})${ENDS}${COUNTED}`,
    ),
    read: ({ text, match }) => {
      const [whole, from, to] = match;
      const isMarked =
        /^(?:from|between|during)/i.test(whole) || /[(\s](?:in|\()\s*$/.test(wordsBefore(text, match.index));
      const isPair = isMarked ? true : /\d(?:-|–|—)\d/.test(whole);
      const window = { start: Date.UTC(Number(from), 0), end: Date.UTC(Number(to) + 1, 0) };
      return isPair && window.end - window.start > YEAR_MS ? fixed(window, { range: true }) : null;
    },
  },
  {
    needs: CLUE.year,
    regex: pattern(`${ALONE}(${YEAR})${ENDS}${COUNTED}`),
    read: (context) => (standsAsYear(context) ? fixed(monthsWindow(Number(context.match[1]), 0, 12)) : null),
  },
  {
    needs: CLUE.year,
    regex: pattern(`\\bthe\\s+(?:early\\s+|late\\s+)?(19[789]|20\\d)0['’]?s\\b`),
    read: ({ match }) => fixed(monthsWindow(Number(match[1]) * 10, 0, 120)),
  },
];
