import type { TimeWindow } from "../text/dates/calendar.ts";
import { readDates } from "../text/dates/read-dates.ts";
import { readValues } from "../text/values/read.ts";
import { relate } from "../text/values/relate.ts";
import type { Value, ValueKind } from "../text/values/value.ts";
import { STOP_WORDS } from "../text/words/terms.ts";

/** What was measured or counted at a time that the text itself names: "2026-03-01: disk usage on db1 is 61 %". */
export interface Reading {
  readonly at: TimeWindow;
  readonly quantities: readonly Value[];
  /** Stems of what was measured. */
  readonly words: ReadonlySet<string>;
}

/** What is longer tells more than one figure. */
const LENGTH_MAX = 300;
/** How often something is done is a habit: no reading. */
const QUANTITIES: ReadonlySet<ValueKind> = new Set(["number", "money", "duration"]);
/** What somebody sets holds until it is set anew: that a limit was raised on a day is no reading of it. */
const IS_SET =
  /\b(?:rais|increas|reduc|lower|bump|chang|cut|doubl|halv|extend|shorten|switch|mov|upgrad|downgrad|resiz|scal|limit|allow)(?:e|es|ed|ing|s|t)?\b|\bset\b/i;
/** Stands before a text's first date, or behind its last one. */
const BEFORE = /^[\s"'([*#-]*(?:(?:as of|on|in|at|for)\s+)?(?:the\s+)?$/i;
const BEHIND = /^[\s"').\]!]*$/;
/** Share of the words of the shorter of two that must be of the other, too. */
const SAME_WORDS_MIN = 2 / 3;

/** Reads a text as a reading: one date, at its beginning or its end, and a figure. Null for any other. */
export function readingOf(content: string, reference_ms: number): Reading | null {
  if (content.length > LENGTH_MAX || IS_SET.test(content)) return null;
  const [date, another] = readDates(content, { reference: reference_ms, lean: "near" });
  if (!date || another || date.relation !== "at") return null;
  const { start, end } = date.span;
  if (!BEFORE.test(content.slice(0, start)) && !BEHIND.test(content.slice(end))) return null;
  const { tokens, values } = readValues(content, reference_ms);
  const quantities = values.filter(({ kind }) => QUANTITIES.has(kind));
  if (quantities.length === 0) return null;
  const isInValue = (index: number) => values.some(({ from, to }) => index >= from && index < to);
  const words = tokens.flatMap(({ kind, lower, stem }, i) =>
    kind === "mark" || isInValue(i) || STOP_WORDS.has(lower) ? [] : [stem],
  );
  return { at: date.named, quantities, words: new Set(words) };
}

/** Whether two texts read the same quantity at two times: each stays true of its own, whatever the figures. */
export function areReadings(one: Reading | null, other: Reading | null): boolean {
  if (one === null || other === null) return false;
  const areApart = one.at.end <= other.at.start || other.at.end <= one.at.start;
  return areApart && isOfTheSame(one.words, other.words) && one.quantities.some((value) => clashes(value, other));
}

const clashes = (value: Value, { quantities }: Reading): boolean =>
  quantities.some((other) => relate(value, other) === "clash");

function isOfTheSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared > 0 && shared >= SAME_WORDS_MIN * Math.min(one.size, other.size);
}
