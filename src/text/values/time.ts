import type { Token } from "../words/tokenize.ts";
import { readNumber } from "./number.ts";
import type { ValueMatch, ValueReader } from "./value.ts";

const NAMED: ReadonlyMap<string, number> = new Map([
  ["noon", 12 * 60],
  ["midday", 12 * 60],
  ["midnight", 0],
]);
const HALF_DAY_HOURS = 12;
const HOUR_MAX = 24;

/** Times of day: `15:00`, `3 pm`, `8 o'clock`, `noon`, `at 7`. */
export const readTime: ValueReader = (tokens, index) => {
  const named = NAMED.get(tokens[index]?.lower ?? "");
  if (named !== undefined) return reading(named, index + 1, false);
  const spoken = spokenAt(tokens, index);
  if (spoken !== null) return spoken;
  const clock = clockAt(tokens, index);
  if (clock === null) return null;
  const half = halfOfDay(tokens, clock.to);
  if (half !== null) return reading(((clock.hour % HALF_DAY_HOURS) + half.add) * 60 + clock.minute, half.to, false);
  if (tokens[clock.to]?.lower === "o'clock")
    return reading(clock.hour * 60 + clock.minute, clock.to + 1, isOpen(clock));
  if (clock.written) return reading(clock.hour * 60 + clock.minute, clock.to, isOpen(clock));
  return isBareHour(tokens, index, clock.to) ? reading(clock.hour * 60, clock.to, isOpen(clock)) : null;
};

const PAST_OR_TO = /^(?:past|to)$/;

/** "half past nine", "a quarter to ten". */
function spokenAt(tokens: readonly Token[], index: number): ValueMatch | null {
  const minutes = { half: 30, quarter: 15 }[tokens[index]?.lower ?? ""];
  const word = tokens[index + 1]?.lower ?? "";
  if (minutes === undefined || !PAST_OR_TO.test(word)) return null;
  const hour = readNumber(tokens, index + 2);
  if (hour === null || hour.amount < 1 || hour.amount > HALF_DAY_HOURS) return null;
  const half = halfOfDay(tokens, hour.to);
  const told = half === null ? hour.amount : hour.amount % HALF_DAY_HOURS;
  const total = told * 60 + (word === "past" ? minutes : -minutes);
  return reading(half === null ? total : total + half.add * 60, half?.to ?? hour.to, half === null);
}

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly to: number;
  /** Written with two digits, as where a day has 24 hours. */
  readonly padded?: boolean;
  /** Has minutes, so that it can be nothing else. */
  readonly written: boolean;
}

function clockAt(tokens: readonly Token[], index: number): Clock | null {
  const token = tokens[index];
  if (token?.kind === "time") {
    const [hour = 0, minute = 0] = token.text.split(":").map(Number);
    return hour <= HOUR_MAX && minute < 60
      ? { hour, minute, to: index + 1, padded: token.text.startsWith("0"), written: true }
      : null;
  }
  const spelled = token?.kind === "word" && tokens[index - 1]?.lower === "at" ? readNumber(tokens, index) : null;
  if (spelled !== null && spelled.amount >= 1 && spelled.amount <= HALF_DAY_HOURS)
    return { hour: spelled.amount, minute: 0, to: spelled.to, written: false };
  if (token?.kind !== "number" || !/^\d{1,2}(?:\.[0-5]\d)?$/.test(token.text)) return null;
  const [hour = 0, minute = 0] = token.text.split(".").map(Number);
  return hour <= HOUR_MAX ? { hour, minute, to: index + 1, written: false } : null;
}

const isOpen = ({ hour, padded = false }: Clock): boolean => !padded && hour <= HALF_DAY_HOURS && hour > 0;

function halfOfDay(tokens: readonly Token[], index: number): { readonly add: number; readonly to: number } | null {
  const word = (tokens[index]?.lower ?? "").replace(/\.$/, "");
  if (/^a\.?m$/.test(word)) return { add: 0, to: index + 1 };
  if (/^p\.?m$/.test(word)) return { add: HALF_DAY_HOURS, to: index + 1 };
  return null;
}

/** "opens at 7" ends the phrase; "at 7 percent" does not. */
function isBareHour(tokens: readonly Token[], index: number, to: number): boolean {
  if (tokens[index - 1]?.lower !== "at" || tokens[index]?.text.includes(".")) return false;
  const next = tokens[to];
  return (
    next === undefined ||
    next.kind === "mark" ||
    /^(?:on|in|every|each|and|at|now|instead|sharp|from|for)$/.test(next.lower)
  );
}

function reading(minutes: number, to: number, open: boolean): ValueMatch {
  const hour = Math.floor(minutes / 60) % HOUR_MAX;
  const key = `${String(hour).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  return {
    value: { kind: "time", key, amount: minutes % (HOUR_MAX * 60), dimension: "clock", half_day_open: open },
    to,
  };
}
