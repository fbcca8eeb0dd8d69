import { WEEKDAY } from "../dates/vocabulary.ts";
import type { Token } from "../words/tokenize.ts";
import { readNumber } from "./number.ts";
import { inBase, unitOf } from "./units.ts";
import { amountKey, type ValueMatch, type ValueReader } from "./value.ts";

/** Seconds between two times, for adverbs and adjectives. */
const NAMED: ReadonlyMap<string, readonly [number, string]> = new Map([
  ["hourly", [1, "hour"]],
  ["daily", [1, "day"]],
  ["nightly", [1, "day"]],
  ["weekly", [1, "week"]],
  ["biweekly", [2, "week"]],
  ["fortnightly", [2, "week"]],
  ["monthly", [1, "month"]],
  ["bimonthly", [2, "month"]],
  ["quarterly", [1, "quarter"]],
  ["yearly", [1, "year"]],
  ["annually", [1, "year"]],
  ["annual", [1, "year"]],
]);
const TIMES: ReadonlyMap<string, number> = new Map([
  ["once", 1],
  ["twice", 2],
  ["thrice", 3],
]);
const IS_WEEKDAY = new RegExp(`^${WEEKDAY}s?$`);
const DAY_PARTS = /^(?:morning|afternoon|evening|night)$/;

/** How often: `weekly`, `twice a week`, `three times a day`, `every two weeks`, `every other day`. */
export const readFrequency: ValueReader = (tokens, index) => {
  const named = NAMED.get(tokens[index]?.lower ?? "");
  if (named !== undefined) return toReading(inUnit(named[0], named[1]), index + 1);
  return readEvery(tokens, index) ?? readTimes(tokens, index);
};

const inUnit = (amount: number, name: string): number => {
  const unit = unitOf(name);
  return unit ? inBase(amount, unit) : amount;
};

const toReading = (seconds: number, to: number): ValueMatch => ({
  value: { kind: "frequency", key: `every ${amountKey(seconds)} s`, amount: seconds, dimension: "every" },
  to,
});

/** "every two weeks", "every other day", "each night". A weekday says which day, not how often, and is left to dates. */
function readEvery(tokens: readonly Token[], index: number): ValueMatch | null {
  if (!/^(?:every|each)$/.test(tokens[index]?.lower ?? "")) return null;
  const isOther = /^(?:other|second)$/.test(tokens[index + 1]?.lower ?? "");
  const number = isOther ? { amount: 2, to: index + 2 } : readNumber(tokens, index + 1);
  const to = number?.to ?? index + 1;
  const word = tokens[to]?.lower ?? "";
  if (isOther && IS_WEEKDAY.test(word)) return toReading(inUnit(2, "week"), to + 1);
  const unit = DAY_PARTS.test(word) ? unitOf("day") : unitOf(word);
  if (unit?.dimension !== "s") return null;
  return toReading(inBase(number?.amount ?? 1, unit), to + 1);
}

/** "twice a week", "three times per day". */
function readTimes(tokens: readonly Token[], index: number): ValueMatch | null {
  const named = TIMES.get(tokens[index]?.lower ?? "");
  const number = named === undefined ? readNumber(tokens, index) : { amount: named, to: index + 1 };
  if (number === null) return null;
  const isTimes = named !== undefined || /^(?:times|x)$/.test(tokens[number.to]?.lower ?? "");
  const to = named === undefined ? number.to + 1 : number.to;
  if (!isTimes || number.amount <= 0 || !/^(?:an?|per|every|each)$/.test(tokens[to]?.lower ?? "")) return null;
  const unit = unitOf(tokens[to + 1]?.lower ?? "");
  return unit?.dimension === "s" ? toReading(inBase(1, unit) / number.amount, to + 2) : null;
}
