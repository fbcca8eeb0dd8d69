import { systemClock } from "../core/kernel/clock.ts";
import { parseInstant } from "../core/schema/common.ts";
import type { TimeWindow, Unit } from "../text/dates/calendar.ts";
import { addUnits, dayWindow, startOfWeek, unitAround, WEEK_DAYS } from "../text/dates/calendar.ts";
import { SHORT_WEEKDAYS, WEEKDAY_FORMS } from "../text/dates/names.ts";
import { plainText } from "./output.ts";
import { UsageError } from "./usage.ts";

/** What a flag says of time: an instant, or a stretch of days by the clock of whoever calls. */
export interface Said {
  /** Epoch milliseconds; a stretch goes up to but not including its end, an instant has no length. */
  readonly start: number;
  readonly end: number;
}

const MINUTE_MS = 60_000;
const COUNTS = "an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const UNIT = "minute|hour|day|week|month|year";
const AGO = new RegExp(`^(?:(\\d{1,5}|${COUNTS}) (${UNIT})s? (?:ago|back)|in (\\d{1,5}|${COUNTS}) (${UNIT})s?)$`);
const NEAR = new RegExp(`^(last|past|this|next|coming) (week|month|year|${WEEKDAY_FORMS.join("|")})$`);
const DAYS: Readonly<Record<string, number>> = {
  "day before yesterday": -2,
  yesterday: -1,
  today: 0,
  tomorrow: 1,
  "day after tomorrow": 2,
};

/** What a person writes of time: null for what is none. `now` in epoch ms; days are those of the machine's clock. */
export function readMoment(written: string, now: number): Said | null {
  const text = written.trim().toLowerCase().replace(/\s+/g, " ");
  if (text === "now") return { start: now, end: now };
  const wall = wallDays(text, wallOf(now));
  if (wall) return { start: instantOf(wall.start), end: instantOf(wall.end) };
  const moved = AGO.exec(text);
  if (moved) {
    const [, back, unitBack, ahead, unitAhead] = moved;
    const sign = back === undefined ? 1 : -1;
    const length_ms = (unitBack ?? unitAhead) === "hour" ? 60 * MINUTE_MS : MINUTE_MS;
    const at = now + sign * countIn(back ?? ahead ?? "") * length_ms;
    return { start: at, end: at };
  }
  const instant = instantIn(written.trim());
  return instant === null ? null : { start: instant, end: instant };
}

/** A day, a week, a month or a year, in the time of a clock on the wall as if that were UTC. */
function wallDays(text: string, now: number): TimeWindow | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)(?:-(\d\d))?$/.exec(text) ?? [];
  if (day !== undefined) return dayWindow(Number(year), Number(month) - 1, Number(day));
  if (month !== undefined) {
    const first = dayWindow(Number(year), Number(month) - 1, 1);
    return first && unitAround(first.start, "month");
  }
  const days = DAYS[text.replace(/^the /, "")];
  if (days !== undefined) return unitAround(addUnits(now, days, "day"), "day");
  const [, back, unitBack, ahead, unitAhead] = AGO.exec(text) ?? [];
  const unit = unitBack ?? unitAhead;
  if (unit !== undefined && unit !== "minute" && unit !== "hour")
    return unitAround(addUnits(now, countIn(back ?? ahead ?? "") * (back === undefined ? 1 : -1), unitOf(unit)), "day");
  const [, word = "", name = ""] = NEAR.exec(text) ?? [];
  return name === "" ? null : near(word, name, now);
}

/** The week, month, year or weekday before, around or after now. */
function near(word: string, name: string, now: number): TimeWindow {
  const turn = word === "this" ? 0 : word === "next" || word === "coming" ? 1 : -1;
  if (name === "week" || name === "month" || name === "year")
    return unitAround(addUnits(unitAround(now, name).start, turn, name), name);
  const weekday = SHORT_WEEKDAYS.indexOf(name.slice(0, 3));
  const inWeek = (week: number) => unitAround(addUnits(startOfWeek(now), weekday + week * WEEK_DAYS, "day"), "day");
  const own = inWeek(0);
  // The one most lately gone by, which may be of this week.
  if (turn < 0) return own.end <= now ? own : inWeek(-1);
  return inWeek(turn);
}

const NAMES = COUNTS.split("|").slice(1);
const countIn = (word: string): number => (/^\d/.test(word) ? Number(word) : Math.max(1, NAMES.indexOf(word) + 1));
// Safe: the pattern has no other names.
const unitOf = (name: string): Unit => name as Unit;

/** A date-time of ISO 8601; without an offset it is that of the machine's clock. Null for 30 February. */
function instantIn(text: string): number | null {
  const instant = parseInstant(text);
  if (instant === null) return null;
  const isLocal = !/(?:z|[+-]\d\d:?\d\d)$/i.test(text.slice("2026-03-01".length));
  return isLocal ? instantOf(Date.parse(instant)) : Date.parse(instant);
}

/** What the clock on the wall shows at an instant, as if that were UTC, and back. */
const wallOf = (instant: number): number => instant - new Date(instant).getTimezoneOffset() * MINUTE_MS;
function instantOf(wall: number): number {
  const at = new Date(wall);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  return new Date(
    year,
    month,
    day,
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
    at.getUTCMilliseconds(),
  ).getTime();
}

/** Which instant of a stretch a flag means: its first, its last, or the first behind it. */
export type Edge = "first" | "last" | "behind";

/** The instant that a flag means, as a timestamp; undefined without the flag. Throws UsageError for what is no time. */
export function momentOf(flag: string, text: string | undefined, edge: Edge): string | undefined {
  const said = text === undefined ? undefined : requireMoment(flag, text);
  if (said === undefined) return undefined;
  const isStretch = said.end > said.start;
  const at = { first: said.start, last: isStretch ? said.end - 1 : said.end, behind: said.end }[edge];
  return new Date(at).toISOString();
}

/** What a flag says of the moment that rows must have held at: a day as a whole, by whose clock. */
export function validAtOf(flag: string, text: string | undefined): { valid_at?: string; utc_offset_minutes?: number } {
  const said = text === undefined ? undefined : requireMoment(flag, text);
  if (said === undefined) return {};
  const wall = wallOf(said.start);
  const isDay = unitAround(wall, "day").start === wall && instantOf(unitAround(wall, "day").end) === said.end;
  if (!isDay) return { valid_at: new Date(Math.max(said.start, said.end - 1)).toISOString() };
  return {
    valid_at: new Date(wall).toISOString().slice(0, "2026-03-01".length),
    utc_offset_minutes: (wall - said.start) / MINUTE_MS,
  };
}

function requireMoment(flag: string, text: string): Said {
  const said = readMoment(text, systemClock.now());
  if (said !== null && new Date(said.end).getUTCFullYear() <= 9_999 && said.start >= YEAR_1) return said;
  throw new UsageError(
    `${flag} is a day such as 2026-03-01, a moment such as 2026-03-01T09:00:00Z, or told from today, such as yesterday, '3 days ago' or 'last week'; not '${plainText(text)}'.`,
  );
}

const YEAR_1 = Date.parse("0001-01-02T00:00:00Z");
