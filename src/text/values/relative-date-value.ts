import type { Token } from "../claims/lexer.ts";
import { addDays, addMonths, dayOf, weekdayOf, weekOf } from "./date-arithmetic.ts";
import { readNumber } from "./number.ts";
import type { DateParts } from "./value.ts";

interface RelativeRead {
  readonly parts: DateParts;
  readonly to: number;
}

const DAYS_OF_WEEK = 7;
const MONTHS_OF_YEAR = 12;
const NAMED_DAYS: ReadonlyMap<string, number> = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tonight", 0],
  ["tomorrow", 1],
]);
const SHIFTS: ReadonlyMap<string, number> = new Map([
  ["last", -1],
  ["this", 0],
  ["next", 1],
]);

/** Dates told from the moment of writing: "tomorrow", "next month", "last Tuesday", "in two weeks", "3 days ago". */
export function readRelativeDate(tokens: readonly Token[], index: number, reference_ms: number): RelativeRead | null {
  const word = tokens[index]?.lower ?? "";
  const days = NAMED_DAYS.get(word);
  if (days !== undefined) return { parts: dayOf(addDays(reference_ms, days)), to: index + 1 };
  const shift = SHIFTS.get(word);
  if (shift !== undefined) return shifted(tokens[index + 1]?.lower ?? "", shift, { index, reference_ms });
  return inOrAgo(tokens, index, reference_ms);
}

interface From {
  readonly index: number;
  readonly reference_ms: number;
}

function shifted(unit: string, shift: number, { index, reference_ms }: From): RelativeRead | null {
  const weekday = weekdayOf(unit);
  const to = index + 2;
  if (weekday !== undefined) return { parts: dayOf(nearestWeekday(reference_ms, weekday, shift)), to };
  if (unit === "week") return { parts: { week: weekOf(reference_ms) + shift }, to };
  if (unit === "month") return { parts: addMonths(reference_ms, shift), to };
  if (unit === "year") return { parts: { year: dayOf(reference_ms).year + shift }, to };
  return null;
}

/** The next such weekday, or for `last` the one before. */
function nearestWeekday(reference_ms: number, weekday: number, shift: number): number {
  const today = new Date(reference_ms).getUTCDay();
  const ahead = (weekday - today + DAYS_OF_WEEK) % DAYS_OF_WEEK;
  if (shift < 0) return addDays(reference_ms, ahead - DAYS_OF_WEEK);
  return addDays(reference_ms, ahead === 0 && shift > 0 ? DAYS_OF_WEEK : ahead);
}

/** "in two weeks", "3 days ago". */
function inOrAgo(tokens: readonly Token[], index: number, reference_ms: number): RelativeRead | null {
  const isIn = tokens[index]?.lower === "in";
  const number = readNumber(tokens, isIn ? index + 1 : index);
  const unit = number && tokens[number.to]?.stem;
  if (!number || !unit) return null;
  const isAgo = tokens[number.to + 1]?.lower === "ago";
  if (isIn === isAgo) return null;
  const amount = isAgo ? -number.amount : number.amount;
  const to = isAgo ? number.to + 2 : number.to + 1;
  const parts = moved(unit, amount, reference_ms);
  return parts && { parts, to };
}

function moved(unit: string, amount: number, reference_ms: number): DateParts | null {
  if (unit === "day") return dayOf(addDays(reference_ms, amount));
  if (unit === "week")
    return amount < 0 ? { week: weekOf(reference_ms) + amount } : dayOf(addDays(reference_ms, amount * DAYS_OF_WEEK));
  if (unit === "month") return addMonths(reference_ms, amount);
  if (unit === "year")
    return { year: Math.floor((dayOf(reference_ms).year * MONTHS_OF_YEAR + amount * MONTHS_OF_YEAR) / MONTHS_OF_YEAR) };
  return null;
}
