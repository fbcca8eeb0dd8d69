import { stemmer } from "stemmer";
import type { Token } from "../words/tokenize.ts";
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

const LESS =
  /^(?:colder|cooler|lower|cheaper|smaller|lighter|slower|younger|earlier|sooner|narrower|thinner|weaker|worse)$/;

/** "Colder than", "longer than". */
function boundOfComparative(word: string): Bound {
  if (LESS.test(word)) return "most";
  return word.endsWith("er") && !/^(?:rather|other)$/.test(word) ? "least" : "exact";
}

const RISES: ReadonlySet<string> = new Set(
  `go went gone put rise rose risen raise climb increase bring brought push move grow grew grown shoot shot jump bump creep crept
  take took taken`
    .split(/\s+/)
    .map(stemmer),
);
/** How far before "up to" its verb may stand. */
const VERB_WITHIN = 7;

/** "Went up to 5" says that it is 5. */
const risesBefore = (tokens: readonly Token[], index: number): boolean =>
  tokens.slice(Math.max(0, index - VERB_WITHIN), index).some((token) => RISES.has(token.stem));

/** How the words before a number limit it. */
export function boundBefore(tokens: readonly Token[], index: number): Bound {
  const [third, second, last] = [3, 2, 1].map((back) => tokens[index - back]?.lower ?? "");
  const pair = `${second ?? ""} ${last ?? ""}`;
  if (third === "no" && last === "than") return TWO_WORDS.get(pair) === "most" ? "least" : "most";
  if (pair === "up to" && risesBefore(tokens, index)) return "exact";
  return TWO_WORDS.get(pair) ?? (last === "than" ? boundOfComparative(second ?? "") : boundOfWord(last ?? ""));
}

function boundOfWord(word: string): Bound {
  if (ABOUT.test(word)) return "about";
  if (LEAST.test(word)) return "least";
  return MOST.test(word) ? "most" : "exact";
}
