import type { DateParts } from "./value.ts";

const NAMES = "january february march april may june july august september october november december".split(" ");
const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const SHORT_LENGTH = 3;

/** Month of a name or its short form, 1 to 12. */
export const monthOf = (word: string): number | undefined => MONTHS.get(word);

/** Weekday of a name or its short form, in singular or plural; 0 is Sunday. */
export const weekdayOf = (word: string): number | undefined => WEEKDAY_NUMBERS.get(word);

const MONTHS: ReadonlyMap<string, number> = new Map([
  ...NAMES.map((name, i) => [name, i + 1] as const),
  ...NAMES.filter((name) => name !== "may").map(
    (name, i) => [name.slice(0, SHORT_LENGTH), i < 4 ? i + 1 : i + 2] as const,
  ),
  ["sept", 9],
]);
const WEEKDAY_NUMBERS: ReadonlyMap<string, number> = new Map([
  ...WEEKDAYS.flatMap((name, i) => [name, `${name}s`].map((form) => [form, i] as const)),
  ...["mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri"].map((name) => {
    return [name, WEEKDAYS.findIndex((day) => day.startsWith(name))] as const;
  }),
]);
export const SEASONS: ReadonlySet<string> = new Set(["spring", "summer", "autumn", "winter"]);

const DAY_MS = 86_400_000;

/** Year, month and day of a moment, in UTC. */
export function dayOf(at_ms: number): Required<Pick<DateParts, "year" | "month" | "day">> {
  const date = new Date(at_ms);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The moment some days after another. */
export const addDays = (at_ms: number, days: number): number => at_ms + days * DAY_MS;

/** The month some months after that of a moment. */
export function addMonths(at_ms: number, months: number): Pick<DateParts, "year" | "month"> {
  const { year, month } = dayOf(at_ms);
  const count = year * 12 + (month - 1) + months;
  return { year: Math.floor(count / 12), month: (((count % 12) + 12) % 12) + 1 };
}

/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** The number of the week that a moment lies in; weeks begin on Mondays. */
export const weekOf = (at_ms: number): number => Math.floor((at_ms - FIRST_MONDAY_MS) / WEEK_MS);

/** The week of a full date; undefined for a date that lacks a part. */
function weekOfDate({ year, month, day }: DateParts): number | undefined {
  return year === undefined || month === undefined || day === undefined
    ? undefined
    : weekOf(Date.UTC(year, month - 1, day));
}

/** The weekday of a full date; undefined for a date that lacks a part. */
function weekdayOfDate({ year, month, day }: DateParts): number | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

/** A date with the parts that follow from those it has: its weekday, its week, its quarter. */
export function fullDate(parts: DateParts): DateParts {
  const weekday = parts.weekday ?? weekdayOfDate(parts);
  const quarter = parts.quarter ?? (parts.month === undefined ? undefined : Math.ceil(parts.month / MONTHS_OF_QUARTER));
  const week = parts.week ?? weekOfDate(parts);
  const days = parts.days ?? daysOf(weekday);
  return {
    ...parts,
    ...(weekday === undefined ? {} : { weekday }),
    ...(days === undefined ? {} : { days }),
    ...(week === undefined ? {} : { week }),
    ...(quarter === undefined ? {} : { quarter }),
  };
}

const MONTHS_OF_QUARTER = 3;
const SATURDAY = 6;

function daysOf(weekday: number | undefined): DateParts["days"] {
  if (weekday === undefined) return undefined;
  return weekday === 0 || weekday === SATURDAY ? "weekend" : "weekdays";
}

/** A date as text, from the largest part it has to the smallest: `2025-06-03`, `-06-03`, `2025-q2`, `day2`. */
export function dateKey({ year, month, day, weekday, days, quarter, season, week }: DateParts): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const parts = [
    year === undefined ? "" : String(year),
    quarter === undefined ? "" : `-q${quarter}`,
    week === undefined ? "" : `-w${week}`,
    season === undefined ? "" : `-${season}`,
    month === undefined ? "" : `-${two(month)}`,
    day === undefined ? "" : `-${two(day)}`,
    days === undefined ? "" : `-${days}`,
    weekday === undefined || day !== undefined ? "" : `-day${weekday}`,
  ];
  return parts.join("");
}
