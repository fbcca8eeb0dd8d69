import type { Token } from "../words/tokenize.ts";
import { unitOf } from "./units.ts";

/** Adverbs and adjectives of a rate, and the unit that they stand for. */
const RATES: ReadonlyMap<string, string> = new Map([
  ["hourly", "hour"],
  ["daily", "day"],
  ["weekly", "week"],
  ["monthly", "month"],
  ["quarterly", "quarter"],
  ["yearly", "year"],
  ["annually", "year"],
  ["annual", "year"],
]);
const SHORT: ReadonlyMap<string, string> = new Map([
  ["min", "minute"],
  ["sec", "second"],
  ["s", "second"],
  ["h", "hour"],
  ["hr", "hour"],
  ["mo", "month"],
  ["yr", "year"],
  ["wk", "week"],
]);

/** The unit that an amount is for, behind it: "per minute", "/ month", "a day", "each", "yearly". */
export function readPer(tokens: readonly Token[], index: number): { readonly per: string; readonly to: number } | null {
  const word = tokens[index]?.lower ?? "";
  const next = tokens[index + 1];
  const rate = RATES.get(word);
  if (rate !== undefined) return { per: rate, to: index + 1 };
  if (next === undefined || next.kind !== "word") return null;
  const isTime = unitOf(next.lower)?.dimension === "s";
  const per = SHORT.get(next.lower) ?? (isTime ? next.lower.replace(/s$/, "") : next.stem);
  if (word === "per" || word === "/") return { per, to: index + 2 };
  return /^(?:an?|each|every)$/.test(word) && isTime ? { per, to: index + 2 } : null;
}
