import { byteLength } from "../../core/kernel/text.ts";
import { fold } from "../../text/words/letters.ts";
import { significantRoots } from "../significant-terms.ts";
import { capitalised } from "./imperative.ts";
import { generalised } from "./placeholders.ts";
import { isForm } from "./verbs.ts";

/** Turns the words of one run into words for all of them. */
export interface Wording {
  /** With placeholders for what belongs to one run: for steps that a reader fills in. */
  general(text: string): string;
  /** Without those places: for names and sentences that say when. */
  plain(text: string): string;
}

/** Share of the runs that must write a value for it to belong to the procedure. */
const SHARED_BY = 0.5;
const SHARED_RUNS_MIN = 2;

/** The wording of a procedure from the full texts of its runs. */
export function wordingOf(runs: readonly string[]): Wording {
  const texts = runs.map((text) => ` ${fold(text).replace(/[^\p{L}\p{N}_./:@#-]+/gu, " ")} `);
  const holders = (value: string) => {
    const wanted = fold(value);
    return texts.filter((text) => text.includes(` ${wanted} `) || text.includes(` ${wanted}.`)).length;
  };
  const isShared = (value: string): boolean => {
    // Of a name in several words, one that others write too makes the whole known.
    if (/^\p{Lu}\p{Ll}+\s/u.test(value)) return value.split(/\s+/).some(isShared);
    const least = /\p{N}/u.test(value) ? Math.max(SHARED_RUNS_MIN, runs.length * SHARED_BY) : SHARED_RUNS_MIN;
    return holders(value) >= least;
  };
  const general = (text: string) => tidied(withoutAsides(generalised(text, isShared)));
  return { general, plain: (text) => tidied(withoutPlaces(general(text))) };
}

const PLACE = "<\\w+>(?:\\s*(?:minutes?|hours?|days?|seconds?|times|%))?";
/** What says of one run alone where, when or how long: in brackets, or after a preposition at the end of a clause. */
const ASIDES: readonly RegExp[] = [
  new RegExp(`(?<!\\s)\\s*\\([^()]*${PLACE}[^()]*\\)`, "g"),
  new RegExp(
    `(?:,\\s*|(?<!\\s)\\s*)\\b(?:ticket|case|issue|order|request|incident|reference)\\s+${PLACE}(?=[.,;]|$)`,
    "gi",
  ),
  /(?:,\s*|(?<!\s)\s*)\b(?:which|that) (?:took|lasted)\b[^.,;]*/gi,
  /(?:,\s+|(?<!\s)\s+)as (?:I|we)\b[^.;]*/g,
  new RegExp(
    `(?<!\\s)\\s+\\b(?:of|for|on|from|at|by|before|after|until|within|in|to|with|against|since|around|about|into)\\s+${PLACE}(?=\\s*[.,;:]|\\s*$)`,
    "gi",
  ),
];

function withoutAsides(text: string): string {
  const bare = ASIDES.reduce((rest, aside) => rest.replace(aside, ""), text);
  const own = significantRoots(text.replace(/<\w+>/g, "")).size;
  return significantRoots(bare).size >= Math.min(2, own) ? bare : text;
}

const PLACED =
  /(?<!\s)\s+\b(?:of|for|on|from|at|by|before|after|until|within|in|to|with|against|since|around|about|into)\s+<\w+>/g;

/** "Retire broker <number>" is to retire a broker. */
const NAMELESS =
  /^(\p{Lu}\p{Ll}+) ((?:(?!(?:a|an|the|of|for|on|from|in|to|with|and|all|its)\b)[\p{L}-]+ ){0,2}?(?!(?:of|for|on|from|in|to|with|by|at|id)\b)\p{Ll}+(?: id)?) <(?:number|id|name)>/u;

const withoutPlaces = (text: string): string =>
  text
    .replace(/<number>(?=\s+(?:minutes|hours|days|weeks|months|times)\b)/g, "some")
    .replace(NAMELESS, (whole, verb: string, thing: string) =>
      isForm(verb.toLowerCase(), "base") ? `${verb} a ${thing}` : whole,
    )
    .replace(/<version>(?= of\b)/g, "a version")
    .replace(PLACED, "")
    .replace(/(?<!\s)\s*<\w+>/g, "");

/** Words for whoever reads, where the writer spoke of itself. */
export const addressed = (text: string): string =>
  text
    .replace(/\b(?:I|we) (?:am|was|were)\b/g, "you are")
    .replace(/\b(?:I|we)\b/g, "you")
    .replace(/\b(?:me|us|myself|ourselves)\b/g, "you");

const tidied = (text: string): string =>
  text
    .replace(/\(\s*\)/g, "")
    .replace(/\s+/g, " ")
    .replace(/(?<!\s)\s+([.,;:])(?=\s|$)/g, "$1")
    .replace(/([,;:])(?=[.,;])/g, "")
    .replace(/(?<![\s,;:.\u2013\u2014-])[\s,;:.\u2013\u2014-]+$/u, "")
    .trim();

/** With a capital and an end. */
export const sentence = (text: string): string => `${capitalised(text)}${/[.!?]$/.test(text) ? "" : "."}`;

/** As it stands within a sentence; names in capitals stay. */
export const uncapitalised = (text: string): string =>
  text.replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (letter) => letter.toLowerCase());

const ELLIPSIS = "\u2026";

/** As many whole words as fit into so many UTF-8 bytes, with an ellipsis where some do not. */
export function fitted(text: string, bytes: number): string {
  if (byteLength(text) <= bytes) return text;
  const words = text.split(" ");
  while (words.length > 0) {
    words.pop();
    const shorter = `${words.join(" ").replace(/(?<![\s,;:.])[\s,;:.]+$/, "")}${ELLIPSIS}`;
    if (byteLength(shorter) <= bytes && words.length > 0) return shorter;
  }
  return "";
}
