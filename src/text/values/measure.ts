import type { Token } from "../words/tokenize.ts";
import { boundBefore } from "./bound.ts";
import { readNumber } from "./number.ts";
import { readPer } from "./per.ts";
import { areaOf, DEGREES, inBase, temperatureOf, type Unit, unitOf } from "./units.ts";
import { amountKey, type ValueMatch, type ValueReader } from "./value.ts";

/** Parts that one duration is written in: "1 h 30 min" has two. */
const PARTS_MAX = 3;
/** What is written as a sum of units: hours and minutes, feet and inches, pounds and ounces. */
const IN_PARTS: ReadonlySet<string> = new Set(["s", "m", "g"]);
const HALF = 0.5;

interface Amount {
  readonly amount: number;
  readonly dimension: string;
  readonly to: number;
  /** As written; a sum of several parts has none. */
  readonly unit?: string;
}

/** Numbers with a unit: lengths, weights, sizes, percentages, temperatures, durations. */
export const readMeasure: ValueReader = (tokens, index) => {
  const found =
    partOfUnit(tokens, index) ??
    fraction(tokens, index) ??
    halfOfUnit(tokens, index) ??
    unitAndHalf(tokens, index) ??
    sumOfParts(tokens, index);
  if (found === null) return null;
  const per = found.dimension === "s" ? null : readPer(tokens, found.to);
  return toReading(tokens, index, { ...found, to: per?.to ?? found.to }, per?.per);
};

function toReading(tokens: readonly Token[], index: number, found: Amount, per: string | undefined): ValueMatch {
  const key = `${amountKey(found.amount)} ${found.dimension}${per === undefined ? "" : `/${per}`}`;
  return {
    value: {
      kind: found.dimension === "s" ? "duration" : "number",
      key,
      amount: found.amount,
      dimension: found.dimension,
      bound: boundBefore(tokens, index),
      ...(found.unit === undefined ? {} : { unit: found.unit }),
      ...(per === undefined ? {} : { per }),
    },
    to: found.to,
  };
}

const PARTS: ReadonlyMap<string, number> = new Map([
  ["half", 1 / 2],
  ["third", 1 / 3],
  ["thirds", 1 / 3],
  ["quarter", 1 / 4],
  ["quarters", 1 / 4],
  ["fifth", 1 / 5],
  ["fifths", 1 / 5],
]);
const HUNDRED = 100;

/** "a quarter of an hour", "three quarters of an hour". */
function partOfUnit(tokens: readonly Token[], index: number): Amount | null {
  const share = fraction(tokens, index);
  if (share === null || !/^an?$/.test(tokens[share.to + 1]?.lower ?? "")) return null;
  const unit = unitAt(tokens, share.to + 2);
  if (unit?.unit.dimension !== "s") return null;
  return { amount: inBase(share.amount / HUNDRED, unit.unit), dimension: "s", to: unit.to };
}

/** "half of the seats", "two thirds of them": shares, told in percent. */
function fraction(tokens: readonly Token[], index: number): Amount | null {
  const isOne = /^an?$/.test(tokens[index]?.lower ?? "");
  const number = isOne ? { amount: 1, to: index + 1 } : readNumber(tokens, index);
  const part = PARTS.get(tokens[number?.to ?? index]?.lower ?? "");
  const to = (number?.to ?? index) + 1;
  if (part === undefined || !isShare(tokens[to], number !== null)) return null;
  return { amount: HUNDRED * part * (number?.amount ?? 1), dimension: "%", to };
}

/** "Half of", "half the", and "two thirds" at the end of a phrase. */
function isShare(next: Token | undefined, isCounted: boolean): boolean {
  if (next?.lower === "of") return true;
  return isCounted ? next === undefined || next.kind === "mark" : next?.lower === "the";
}

/** "half an hour", "half a kilometre". */
function halfOfUnit(tokens: readonly Token[], index: number): Amount | null {
  if (tokens[index]?.lower !== "half" || !/^an?$/.test(tokens[index + 1]?.lower ?? "")) return null;
  const unit = unitAt(tokens, index + 2);
  return unit && { amount: inBase(HALF, unit.unit), dimension: unit.unit.dimension, to: unit.to };
}

/** "an hour and a half", "a week". */
function unitAndHalf(tokens: readonly Token[], index: number): Amount | null {
  if (!/^an?$/.test(tokens[index]?.lower ?? "")) return null;
  const found = unitAt(tokens, index + 1);
  if (found === null) return null;
  const { unit, to } = found;
  const half = ["and", "a", "half"].every((word, i) => tokens[to + i]?.lower === word);
  if (half) return { amount: inBase(1 + HALF, unit), dimension: unit.dimension, to: to + 3 };
  return isOneOf(tokens, index, unit) ? { amount: inBase(1, unit), dimension: unit.dimension, to } : null;
}

/** "an hour" is a duration; "$5 a month", "twice a week" and "a second opinion" are none. */
const isOneOf = (tokens: readonly Token[], index: number, unit: Unit): boolean =>
  unit.dimension === "s" &&
  tokens[index + 1]?.lower !== "second" &&
  /^(?:in|for|takes?|took|lasts?|lasted|is|after|within|every|only|about)$/.test(tokens[index - 1]?.lower ?? "");

/** "1 h 30 min", "5 feet 11 inches", "1 m 30": parts of falling size. */
function sumOfParts(tokens: readonly Token[], index: number): Amount | null {
  let sum = onePart(tokens, index);
  for (let part = 1; part < PARTS_MAX && sum !== null && IN_PARTS.has(sum.dimension); part++) {
    const next = nextPart(tokens, sum);
    if (next === null) break;
    sum = { amount: sum.amount + next.amount, dimension: sum.dimension, to: next.to };
  }
  return sum;
}

function nextPart(tokens: readonly Token[], { to, dimension, amount }: Amount): Amount | null {
  const cm = dimension === "m" ? bareCentimetres(tokens, to) : null;
  if (cm !== null) return { amount: cm / HUNDRED, dimension, to: to + 1 };
  const isJoined = tokens[to]?.lower === "and" && tokens[to + 1]?.kind === "number";
  const found = onePart(tokens, isJoined ? to + 1 : to);
  return found !== null && found.dimension === dimension && found.amount < amount ? found : null;
}

/** The "30" of "1 m 30". */
function bareCentimetres(tokens: readonly Token[], index: number): number | null {
  const [metres, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (metres?.lower !== "m" || token?.kind !== "number" || !/^\d{1,2}$/.test(token.text)) return null;
  return next !== undefined && unitOf(next.lower) !== undefined ? null : Number(token.text);
}

function onePart(tokens: readonly Token[], index: number): Amount | null {
  const number = readNumber(tokens, index);
  if (number === null) return null;
  const hyphen = tokens[number.to]?.text === "-" && tokens[number.to]?.glued === true ? 1 : 0;
  const found = unitAt(tokens, number.to + hyphen);
  if (found === null || !isUnitHere(tokens, number.to + hyphen, index)) return null;
  return {
    amount: inBase(number.amount, found.unit),
    dimension: found.unit.dimension,
    to: found.to,
    unit: tokens[found.to - 1]?.lower ?? "",
  };
}

/** "6 d" may be a unit; single letters count as units only where they touch the number or end the phrase. */
function isUnitHere(tokens: readonly Token[], unitAtIndex: number, numberAt: number): boolean {
  const token = tokens[unitAtIndex];
  if (token === undefined) return false;
  if (token.text.length > 1 || token.kind !== "word") return true;
  if (token.capital && !/^[LWVCF]$/.test(token.text)) return false;
  if (token.glued) return true;
  const next = tokens[unitAtIndex + 1];
  return (
    tokens[numberAt]?.kind === "number" &&
    !token.capital &&
    (next === undefined || next.kind !== "word" || next.lower.length > 1)
  );
}

interface UnitRead {
  readonly unit: Unit;
  readonly to: number;
}

function unitAt(tokens: readonly Token[], index: number): UnitRead | null {
  const token = tokens[index];
  if (token === undefined) return null;
  const next = tokens[index + 1]?.lower ?? "";
  if (token.text === "°" || /^degrees?$/.test(token.lower)) return degreesAt(index, next);
  if (token.lower === "per" && next === "cent") return read(unitOf("%"), index + 2);
  if (token.lower === "square") return read(areaOf(next), index + 2);
  if (token.glued && (token.text === "C" || token.text === "F")) return read(temperatureOf(token.lower), index + 1);
  return read(unitOf(token.lower), index + 1);
}

const read = (unit: Unit | undefined, to: number): UnitRead | null => (unit ? { unit, to } : null);

function degreesAt(index: number, next: string): UnitRead {
  const scale = temperatureOf(next);
  return { unit: scale ?? DEGREES, to: scale ? index + 2 : index + 1 };
}
