import { DAY_MS } from "../../core/kernel/clock.ts";

/** A stretch of time: from `start` up to but not including `end`, in epoch milliseconds, UTC. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/** Years in which a date is taken for one; other numbers are taken for something else. */
export const YEAR_MIN = 1970;
export const YEAR_MAX = 2100;
export const WEEK_DAYS = 7;

/** A length of calendar time. */
export type Unit = "hour" | "day" | "week" | "month" | "quarter" | "year";

const utc = (year: number, month: number, day = 1): number => Date.UTC(year, month, day);

/** Midnight before an instant. */
export const startOfDay = (time_ms: number): number => Math.floor(time_ms / DAY_MS) * DAY_MS;

/** The days from the one that holds `at` on. */
export const daysFrom = (time_ms: number, days: number): TimeWindow => ({
  start: startOfDay(time_ms),
  end: startOfDay(time_ms) + days * DAY_MS,
});

/** One day, month 0 to 11; null for 30 February. */
export function dayWindow(year: number, month: number, day: number): TimeWindow | null {
  const start = utc(year, month, day);
  const isReal = day >= 1 && new Date(start).getUTCMonth() === month;
  return isReal ? daysFrom(start, 1) : null;
}

/** `count` months from the first of one, which may lie in another year (12 is January of the next). */
export const monthsWindow = (year: number, month: number, count: number): TimeWindow => ({
  start: utc(year, month),
  end: utc(year, month + count),
});

/** Monday of the week that holds `at`. */
export function startOfWeek(time_ms: number): number {
  const sinceMonday = (new Date(time_ms).getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS;
  return startOfDay(time_ms) - sinceMonday * DAY_MS;
}

/** A week by its number in ISO 8601: the first is the one that holds 4 January. */
export function isoWeek(year: number, week: number): TimeWindow {
  return daysFrom(startOfWeek(utc(year, 0, 4)) + (week - 1) * WEEK_DAYS * DAY_MS, WEEK_DAYS);
}

/** An instant moved by calendar months; the 31st becomes the last day of a shorter month. */
export function addMonths(time_ms: number, months: number): number {
  const date = new Date(time_ms);
  const first = utc(date.getUTCFullYear(), date.getUTCMonth() + months);
  const length = new Date(utc(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  return first + (Math.min(date.getUTCDate(), length) - 1) * DAY_MS + (time_ms - startOfDay(time_ms));
}

const HOUR_MS = DAY_MS / 24;
const MONTHS_IN: Readonly<Partial<Record<Unit, number>>> = { month: 1, quarter: 3, year: 12 };

/** An instant moved by so many units; half units count for months and longer. */
export function addUnits(time_ms: number, count: number, unit: Unit): number {
  const months = MONTHS_IN[unit];
  if (months !== undefined) return addMonths(time_ms, Math.round(count * months));
  if (unit === "hour") return time_ms + count * HOUR_MS;
  return time_ms + count * (unit === "week" ? WEEK_DAYS : 1) * DAY_MS;
}

/** The calendar unit that holds an instant: its day, its week from Monday on, its month, quarter or year. */
export function unitAround(time_ms: number, unit: Unit): TimeWindow {
  const date = new Date(time_ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case "hour":
      return { start: time_ms, end: time_ms + HOUR_MS };
    case "day":
      return daysFrom(time_ms, 1);
    case "week":
      return daysFrom(startOfWeek(time_ms), WEEK_DAYS);
    case "month":
      return monthsWindow(year, month, 1);
    case "quarter":
      return monthsWindow(year, month - (month % 3), 3);
    case "year":
      return monthsWindow(year, 0, 12);
    default:
      return unit satisfies never;
  }
}

/** The same window in another year; null for one that begins on 29 February where there is none. */
export function shiftYears({ start, end }: TimeWindow, years: number): TimeWindow | null {
  const shifted = (time_ms: number) => {
    const date = new Date(time_ms);
    return utc(date.getUTCFullYear() + years, date.getUTCMonth(), date.getUTCDate()) + (time_ms - startOfDay(time_ms));
  };
  const isThere = new Date(shifted(start)).getUTCMonth() === new Date(start).getUTCMonth();
  return isThere ? { start: shifted(start), end: shifted(end) } : null;
}

/** Whether a window lies in years that are taken for dates. */
export const isPlausible = ({ start, end }: TimeWindow): boolean =>
  start >= utc(YEAR_MIN, 0) && end <= utc(YEAR_MAX + 1, 0);
