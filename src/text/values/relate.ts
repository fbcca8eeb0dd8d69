import { inBase, LOOSE_DIMENSIONS, unitOf } from "./units.ts";
import type { Value } from "./value.ts";

/** What two values are to each other: the same, one a closer word for the other, at odds, or not to be compared. */
export type Relation = "equal" | "compatible" | "clash" | "apart";

/** Rounding in another unit: five miles are said to be eight kilometres. */
const TOLERANCE = 0.02;
/** How far apart a measured amount and one said to be "about" it may lie. */
const ABOUT_TOLERANCE = 0.1;
const LOOSE_TOLERANCE = 0.1;
const HALF_DAY_MIN = 12 * 60;
const SAME_AMOUNT = 1e-9;

/** Compares two values of any kind. */
export function relate(a: Value, b: Value): Relation {
  if (a.kind !== b.kind) return "apart";
  if (a.kind === "version") return relateVersions(a, b);
  if (a.key === b.key) return "equal";
  if (a.window && b.window) return relateRanges([a.window.start, a.window.end], [b.window.start, b.window.end]);
  return a.kind === "time" ? relateTimes(a, b) : relateAmounts(a, b);
}

function relateVersions(a: Value, b: Value): Relation {
  if (a.dimension !== "" && b.dimension !== "" && a.dimension !== b.dimension) return "apart";
  const [one, other] = [a, b].map(({ key, dimension = "" }) =>
    dimension === "" ? key : key.slice(dimension.length + 1),
  );
  if (one === other) return "equal";
  // "14" says less than "14.2"; "2.1.0" says as much as "2.1.1".
  const [written, otherWritten] = [a.unit ?? "", b.unit ?? ""];
  return written.startsWith(`${otherWritten}.`) || otherWritten.startsWith(`${written}.`) ? "compatible" : "clash";
}

/** "3" and "15:00" may be the same hour where one does not say which half of the day it means. */
function relateTimes(a: Value, b: Value): Relation {
  if (a.high !== undefined || b.high !== undefined) {
    const range = ({ amount = 0, high = amount }: Value) => [amount, high] as const;
    return relateRanges(range(a), range(b));
  }
  const apart = Math.abs((a.amount ?? 0) - (b.amount ?? 0));
  const isOpen = a.half_day_open === true || b.half_day_open === true;
  return isOpen && apart % HALF_DAY_MIN === 0 ? "compatible" : "clash";
}

function relateAmounts(a: Value, b: Value): Relation {
  if (!isSameDimension(a, b)) return "apart";
  const [x, y] = [perSecond(a, b), perSecond(b, a)];
  if (x === null || y === null) return "apart";
  if (a.high !== undefined || b.high !== undefined) return relateRanges([x, a.high ?? x], [y, b.high ?? y]);
  const apart = Math.abs(x - y) / Math.max(Math.abs(x), Math.abs(y), SAME_AMOUNT);
  if (apart < SAME_AMOUNT) return a.bound === b.bound ? "equal" : "compatible";
  return isWithinBounds(a, b, { x, y, apart }) ? "compatible" : "clash";
}

/** A range and what lies in it are compatible. */
function relateRanges(a: readonly [number, number], b: readonly [number, number]): Relation {
  if (a[0] === b[0] && a[1] === b[1]) return "equal";
  const isIn = (one: readonly [number, number], other: readonly [number, number]) =>
    one[0] >= other[0] && one[1] <= other[1];
  return isIn(a, b) || isIn(b, a) ? "compatible" : "clash";
}

/** A bare number may count anything; a counted thing may be named by any of its words. */
function isSameDimension(a: Value, b: Value): boolean {
  if (a.dimension === b.dimension) return true;
  if (a.kind !== "number") return false;
  const counted = b.counted ?? [];
  return a.counted?.some((word) => counted.includes(word)) ?? false;
}

/** Amounts for one time are compared as such, amounts for different times by the second. Null where they are for other things. */
function perSecond(value: Value, other: Value): number | null {
  const amount = value.amount ?? 0;
  if (value.per === undefined || other.per === undefined || value.per === other.per) return amount;
  const unit = unitOf(value.per);
  return unit?.dimension === "s" ? amount / inBase(1, unit) : null;
}

interface Amounts {
  readonly x: number;
  readonly y: number;
  readonly apart: number;
}

function isWithinBounds(a: Value, b: Value, { x, y, apart }: Amounts): boolean {
  if (a.bound === "about" || b.bound === "about") return apart <= ABOUT_TOLERANCE;
  if (a.bound !== b.bound) return fits(a, y, x) && fits(b, x, y);
  const isRate = a.per !== b.per;
  const tolerance = LOOSE_DIMENSIONS.has(a.dimension ?? "") ? LOOSE_TOLERANCE : TOLERANCE;
  return (isRate || isRounded(a, b)) && apart <= tolerance;
}

/** Only amounts told in different units may differ by rounding. */
const isRounded = (a: Value, b: Value): boolean => a.unit !== undefined && b.unit !== undefined && a.unit !== b.unit;

/** Whether an amount keeps to the other value's bound. */
function fits({ bound }: Value, amount: number, limit: number): boolean {
  if (bound === "least") return amount >= limit;
  return bound === "most" ? amount <= limit : true;
}
