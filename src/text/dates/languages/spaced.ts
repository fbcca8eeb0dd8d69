import { DAY_MS } from "../../../core/kernel/clock.ts";
import type { TimeWindow, Unit } from "../calendar.ts";
import { addUnits, daysFrom, dayWindow, monthsWindow, startOfWeek, unitAround, WEEK_DAYS } from "../calendar.ts";
import { COUNTED, isListed, isMeasured } from "../not-dates.ts";
import { away } from "../relative.ts";
import type { DateMatch, DateMatchContext, DatePattern } from "../vocabulary.ts";
import { ANY_YEAR, DAY, fixed, PLAIN, YEAR } from "../vocabulary.ts";
import type { Grammar } from "./grammar.ts";
import { beginsSentence } from "./grammar.ts";
import type { DateWords } from "./words.ts";

/** No part of a longer word, number, path or price. */
const STARTS = "(?<![\\p{L}\\p{N}_./#$€£:,-])";
const ENDS = "(?![\\p{L}\\p{N}_]|[-./:,]\\d|-\\p{L})";
/** Characters before a place in which its words are looked for. */
const LOOK_BACK = 40;

const anyOf = (sources: readonly string[]): string => sources.map((source) => `(?:${source})`).join("|");
const ahead = (words: string): RegExp => new RegExp(`(?:^|[^\\p{L}])(?:${words})\\s+$`, "iu");
const before = (text: string, index: number): string => text.slice(Math.max(0, index - LOOK_BACK), index);

/** Which of several words a match is. */
function indexAmong(sources: readonly string[]): (word: string) => number {
  const tests = sources.map((source) => new RegExp(`(?:${source})$`, "iu"));
  return (word) => tests.findIndex((test) => test.exec(word)?.index === 0);
}

/** The way that a language whose words stand apart writes dates. */
export function grammarOfWords(words: DateWords): Grammar {
  const behind = (source: string) => new RegExp(`(?:^|[^\\p{L}])(?:${source})(?!\\p{L})`, "iu");
  const related = (source: string) => ahead(`(?:${source})(?:\\s+(?:${words.part}))?`);
  return {
    patterns: patternsOf(words),
    before: [
      ["since", related(`${words.since}|${words.from}`)],
      ["until", related(words.until)],
      ["before", related(words.before)],
      ["after", related(words.after)],
    ],
    behind: [],
    since: related(words.since),
    link: new RegExp(`^\\s*(?:${words.link})\\s*$`, "iu"),
    between: ahead(words.between[0]),
    and: new RegExp(`^\\s+(?:${words.between[1]})\\s+$`, "iu"),
    habit: behind(words.habit),
    past: behind(words.past),
    future: behind(words.future),
  };
}

function patternsOf(words: DateWords): DatePattern[] {
  const month = anyOf(words.months);
  const monthOf = indexAmong(words.months);
  const ordinal = `(?:${words.ordinal})?`;
  const of = words.of === "" ? "" : `(?:(?:${words.of})\\s+)?`;
  const year = `(${ANY_YEAR})(?![\\d%]|[-./:,]\\d)${words.year === "" ? "" : `(?:\\s*(?:${words.year}))?`}`;
  const within = ahead(`${words.within}|(?:(?:${words.within})\\s+)?(?:${words.part})`);
  const since = ahead(words.since);
  const dated = `${of}(${month})${ENDS}(?:,?\\s+${of}${year})?`;
  const pattern = (source: string, read: DatePattern["read"]): DatePattern => ({
    needs: 0,
    regex: new RegExp(source, "giu"),
    read,
  });
  return [
    pattern(
      `${STARTS}(${DAY})${ordinal}\\s*(?:${words.link})\\s*(${DAY})${ordinal}\\s+${dated}`,
      ({ match: [, first, last, name = "", named], reference }) => {
        const reading = inYear(named, reference, (y) => days(y, monthOf(name), Number(first), Number(last)));
        return { ...reading, range: true };
      },
    ),
    pattern(
      `(?:(?<!\\p{L})(?:${anyOf(words.weekdays)}),?\\s+(?:(?:den|dem|le|el|il)\\s+)?)?${STARTS}(${DAY})${ordinal}\\s+${dated}`,
      ({ text, match, reference }) => {
        const [, day, name = "", named] = match;
        if (isListed(text, match.index)) return null;
        return inYear(named, reference, (y) => dayWindow(y, monthOf(name), Number(day)));
      },
    ),
    pattern(
      // "The 3rd and the 4th of May": the first of them, whose month stands behind the last.
      `${STARTS}(${DAY})${ordinal}(?=(?:,\\s*${DAY}${ordinal}){0,8}\\s+(?:${words.between[1]})\\s+${DAY}${ordinal}\\s+${dated})`,
      ({ match: [, day, name = "", named], reference }) =>
        inYear(named, reference, (y) => dayWindow(y, monthOf(name), Number(day))),
    ),
    pattern(`${STARTS}(${month})\\s+${of}${year}${ENDS}`, ({ match: [, name = "", named] }) =>
      fixed(monthsWindow(Number(named), monthOf(name), 1)),
    ),
    pattern(`${STARTS}(${month})${ENDS}(?!['’\\s]+(?-i:\\p{Lu}))`, (context) => {
      const [, name = ""] = context.match;
      const isName = !words.capital && /^\p{Lu}/u.test(name);
      if (isName || !within.test(before(context.text, context.match.index))) return null;
      return inYear(undefined, context.reference, (y) => monthsWindow(y, monthOf(name), 1));
    }),
    pattern(
      `${STARTS}(${YEAR})${words.yearNeeds ? `\\s*(?:${words.year})` : ""}${ENDS}${COUNTED}${words.capital ? "(?!\\s+(?-i:\\p{Lu}))" : ""}`,
      ({ text, match }) => {
        const isRound = /00$/.test(match[1] ?? "") && /^\s+\p{L}/u.test(text.slice(match.index + match[0].length));
        const front = before(text, match.index);
        if (isRound || !within.test(front) || (isMeasured(text, match.index) && !since.test(front))) return null;
        return fixed(monthsWindow(Number(match[1]), 0, 12));
      },
    ),
    pattern(`${STARTS}(${DAY})([/-])(0?[1-9]|1[0-2])\\2(${YEAR})${ENDS}`, ({ match: [, day, , number, named] }) =>
      fixed(dayWindow(Number(named), Number(number) - 1, Number(day))),
    ),
    ...relativePatterns(words, pattern),
  ];
}

function relativePatterns(
  words: DateWords,
  pattern: (source: string, read: DatePattern["read"]) => DatePattern,
): DatePattern[] {
  const { last, next, ago, units } = words;
  const never = ahead(words.never);
  const isOther = ({ text, match }: DateMatchContext) => never.test(before(text, match.index));
  const none = "(?!)";
  const lead = `(?:(?:(${last.before ?? none})|(${next.before ?? none})|(?:${words.own}))\\s+)`;
  const trail = `(?:\\s+(?:(${last.behind ?? none})|(${next.behind ?? none}))(?!\\p{L}))`;
  const turnOf = (match: RegExpExecArray, first: number, second: number): number =>
    (match[first] ?? match[second]) ? -1 : Number((match[first + 1] ?? match[second + 1]) !== undefined);
  const weekdays = anyOf(words.weekdays);
  const weekdayOf = indexAmong(words.weekdays);
  const unitOf = (word: string): Unit => {
    const found = (["day", "week", "month", "year"] as const).find((unit) =>
      new RegExp(`^(?:${units[unit]})$`, "iu").test(word),
    );
    return found ?? "day";
  };
  const count = `\\d{1,3}|${anyOf(words.counts)}`;
  const numberOf = indexAmong(words.counts);
  const countOf = (word: string | undefined): number => {
    if (word === undefined) return 1;
    return /^\d/.test(word) ? Number(word) : numberOf(word) + 1;
  };
  const anyUnit = anyOf(Object.values(units));
  const number = anyOf(["\\d+", anyUnit, ago.amounts ?? none, ...words.counts]);
  const counted = ahead(`(?:${number})(?:\\s+(?:${ago.joints ?? none}))?`);
  const longer = anyOf([units.week, units.month, units.year]);
  return [
    pattern(`${STARTS}${lead}?(${weekdays})${trail}?${ENDS}`, (context) => {
      const { match, reference } = context;
      const name = match[3] ?? "";
      const turn = turnOf(match, 1, 4);
      const isMarked = turn !== 0 || match[0] !== name;
      if (!fitsCase(context, name, words.capital) || (!isMarked && isOther(context))) return null;
      if (isMarked) return fixed(namedWeekday(reference, weekdayOf(name), turn, words.coming));
      return { repeats: "week", ...PLAIN, window: (week) => weekday(reference, weekdayOf(name), week) };
    }),
    ...words.days.map(([days, source]) =>
      pattern(`${STARTS}(${source})${ENDS}`, (context) => {
        const isNoun = words.capital && /^\p{Lu}/u.test(context.match[0]);
        if (isOther(context) || (isNoun && !beginsSentence(context.text, context.match.index))) return null;
        return fixed(daysFrom(context.reference + days * DAY_MS, 1));
      }),
    ),
    pattern(`${STARTS}${lead}(${longer})${ENDS}`, ({ match, reference }) =>
      neighbour(reference, unitOf(match[3] ?? ""), turnOf(match, 1, 9)),
    ),
    pattern(`${STARTS}(${longer})${trail}`, ({ match, reference }) =>
      neighbour(reference, unitOf(match[1] ?? ""), turnOf(match, 2, 9)),
    ),
    pattern(`${STARTS}(?:${ago.before ?? none})\\s+(${count})\\s+(${anyUnit})${ENDS}`, ({ match, reference }) =>
      away(reference, -countOf(match[1]), unitOf(match[2] ?? "")),
    ),
    pattern(
      `${STARTS}(?:(${count})\\s+(${anyUnit})|(${ago.one ?? none}))\\s+(?:${ago.behind ?? none})${ENDS}`,
      ({ text, match, reference }) => {
        if (counted.test(before(text, match.index))) return null;
        return away(reference, -countOf(match[1]), unitOf(match[2] ?? match[3] ?? ""));
      },
    ),
    pattern(`${STARTS}(?:${words.ahead.before ?? none})\\s+(${count})\\s+(${anyUnit})${ENDS}`, ({ match, reference }) =>
      away(reference, countOf(match[1]), unitOf(match[2] ?? "")),
    ),
  ];
}

/** A window in a named year, or in whichever year the sentence tells. */
export function inYear(
  named: string | undefined,
  reference: number,
  windowIn: (year: number) => TimeWindow | null,
): DateMatch {
  if (named !== undefined) return fixed(windowIn(Number(named)));
  const own = new Date(reference).getUTCFullYear();
  return { repeats: "year", ...PLAIN, window: (turn) => windowIn(own + turn) };
}

/** Days of one month, first and last named. */
export function days(year: number, month: number, first: number, last: number): TimeWindow | null {
  const [from, to] = [dayWindow(year, month, first), dayWindow(year, month, last)];
  return from && to && to.end > from.start ? { start: from.start, end: to.end } : null;
}

export const weekday = (reference: number, day: number, turn: number): TimeWindow =>
  daysFrom(startOfWeek(reference) + (day + turn * WEEK_DAYS) * DAY_MS, 1);

/** The weekday of this week, the one most lately gone by, the first to come, or that of the next week. */
export function namedWeekday(reference: number, day: number, turn: number, coming: boolean): TimeWindow {
  const own = weekday(reference, day, 0);
  if (turn < 0) return own.end <= reference ? own : weekday(reference, day, -1);
  if (turn > 0) return coming && own.start > reference ? own : weekday(reference, day, 1);
  return own;
}

/** The week, month or year before, around or after the one that holds the reference. */
export const neighbour = (reference: number, unit: Unit, turn: number): DateMatch =>
  fixed(unitAround(addUnits(unitAround(reference, unit).start, turn, unit), unit));

/** Where weekdays have no capital, one that has it and begins no sentence is a name. */
const fitsCase = ({ text, match }: DateMatchContext, name: string, capital: boolean): boolean =>
  /^\p{Lu}/u.test(name) === capital || beginsSentence(text, match.index);
