import type { Token } from "../lexer.ts";
import type { Bound } from "./value.ts";

const ABOUT = /^(?:about|around|roughly|approximately|approx|circa|ca|nearly|almost|some|~|≈)$/;
const LEAST = /^(?:over|above|exceeding|min|minimum|>|≥)$/;
const MOST = /^(?:under|below|max|maximum|within|<|≤)$/;
const TWO_WORDS: ReadonlyMap<string, Bound> = new Map([
  ["at least", "least"],
  ["more than", "least"],
  ["greater than", "least"],
  ["longer than", "least"],
  ["no less", "least"],
  ["at most", "most"],
  ["up to", "most"],
  ["less than", "most"],
  ["fewer than", "most"],
  ["shorter than", "most"],
  ["close to", "about"],
]);

/** How the words before a number limit it. */
export function boundBefore(tokens: readonly Token[], at: number): Bound {
  const last = tokens[at - 1]?.lower ?? "";
  const pair = TWO_WORDS.get(`${tokens[at - 2]?.lower ?? ""} ${last}`);
  if (pair !== undefined) return pair;
  if (ABOUT.test(last)) return "about";
  if (LEAST.test(last)) return "least";
  return MOST.test(last) ? "most" : "exact";
}
