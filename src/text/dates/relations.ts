import { DAY_MS } from "../../core/kernel/clock.ts";
import type { TimeWindow, Unit } from "./calendar.ts";
import { addUnits, isPlausible, startOfWeek, WEEK_DAYS } from "./calendar.ts";
import type { TenseDirection } from "./tense.ts";
import { sentenceAround, tenseAt } from "./tense.ts";
import type { DateExpression, TextSpan } from "./vocabulary.ts";
import { COUNT, countOf, UNIT, unitOf, WEEKDAY, weekdayOf } from "./vocabulary.ts";

/** How a text stands to a date: at it, from one to another, from it on, up to it, before it, after it. */
export type DateRelation = "at" | "range" | "since" | "until" | "before" | "after";

/** A date, or a pair of them, that a text names. */
export interface DateMention {
  readonly span: TextSpan;
  readonly relation: DateRelation;
  /** The date itself; of a range, from the first day of its first date to the last of its second. */
  readonly named: TimeWindow;
  /** What the date is only a part of: the June of "early June". */
  readonly whole: TimeWindow | null;
  /** Without a year: the sentence tells which is likely, but it may be that of another year. */
  readonly yearly: boolean;
  /** Stands for its middle, give or take: "two weeks ago". */
  readonly vague: boolean;
}

export interface DateReading {
  /** The moment of writing, in epoch milliseconds: what "yesterday" and "next month" count from. */
  readonly reference: number;
  /** Which of several dates is meant. When absent, each sentence tells, and where it does not, such a date is none. */
  readonly lean?: TenseDirection;
  /** What `cluesOf` found in the text, when that is known. */
  readonly clues?: number;
}

const LINK = /^\s*(?:to|until|till|through|thru|up to|-|–|—)\s*(?:the\s+)?$/i;
const AND = /^\s*and\s+(?:the\s+)?$/i;
const BETWEEN = /\bbetween\s+(?:the\s+)?$/i;
const FROM = /\b(?:from|between)\s+(?:the\s+)?$/i;
/** What was moved from one date to another is on the second. */
const MOVED =
  /\b(?:move[ds]?|chang(?:ed?|es)|shift(?:s|ed)?|reschedul(?:ed?|es)|postpone[ds]?|pushed|push|delay(?:s|ed)?|slip(?:s|ped)?|brought)\b[^.!?\n]{0,60}from\s+(?:the\s+)?$/i;

/** Words right before a date that tell how the text stands to it. */
const RELATIONS: readonly (readonly [relation: DateRelation, before: RegExp])[] = [
  [
    "since",
    /\b(?:since|starting|starting (?:on|in|from)|effective|effective (?:from|on)|valid from|as from)\s+(?:the\s+)?$/i,
  ],
  [
    "until",
    /\b(?:until|till|up to|through|thru|by|no later than|due|due (?:on|by|in)|deadline (?:is|was|of)|deadline:|deadline is on|expires?|expir(?:es|ed|ing) (?:on|in|at)|ends?|end(?:s|ed|ing) (?:on|in))\s+(?:the\s+)?$/i,
  ],
  ["before", /\b(?:before|prior to|ahead of|earlier than)\s+(?:the\s+)?$/i],
  ["after", /\b(?:after|following|later than)\s+(?:the\s+)?$/i],
];
const ONWARDS = /^\s*(?:onwards?|and later|forward)\b|^\s+on\b(?!\s+(?:the|a|an|my|our)\b)/i;

/** The longest of these with what may stand between it and the date. */
const NEAR_BEFORE = 28;

/** Characters before a date in which its relation is looked for. */
const LOOK_BACK = 80;
const wordsAhead = (text: string, { span }: DateExpression): string =>
  text.slice(Math.max(0, span.start - LOOK_BACK), span.start);

/** Joins expressions that stand in their text's order into what the text says: pairs become ranges, prepositions relations. */
export function relate(text: string, expressions: readonly DateExpression[], reading: DateReading): DateMention[] {
  const mentions: DateMention[] = [];
  for (let i = 0; i < expressions.length; i++) {
    const one = expressions[i];
    const next = expressions[i + 1];
    if (!one) continue;
    const pair = next && pairing(text, one, next);
    if (pair) i++;
    const mention = next && pair ? paired(text, [one, next], pair, reading) : single(text, one, reading);
    if (mention && isPlausible(mention.named)) mentions.push(mention);
  }
  // "The Saturday after 28 October" has swallowed its Saturday.
  return mentions.filter(({ span }, i) => (mentions[i + 1]?.span.start ?? span.end) >= span.end);
}

/** What two neighbours are to each other: ends of a range, a date and the one it was moved to, a habit of weekdays. */
type Pairing = "range" | "moved" | "habit";

function pairing(text: string, one: DateExpression, next: DateExpression): Pairing | null {
  const between = text.slice(one.span.end, next.span.start);
  const ahead = wordsAhead(text, one);
  if (!LINK.test(between) && !(AND.test(between) && BETWEEN.test(ahead))) return null;
  if (MOVED.test(ahead)) return "moved";
  const areWeekdays = one.repeats === "week" && next.repeats === "week";
  return areWeekdays && !FROM.test(ahead) ? "habit" : "range";
}

function paired(
  text: string,
  [one, next]: readonly [DateExpression, DateExpression],
  pair: Pairing,
  reading: DateReading,
): DateMention | null {
  if (pair === "habit") return null;
  if (pair === "moved") return single(text, next, { lean: "future", ...reading });
  const span = { start: one.span.start, end: next.span.end };
  const lean = reading.lean ?? tenseAt(text, span);
  const named = rangeOf(one, next, { ...reading, lean });
  const yearly = one.repeats === "year" && next.repeats === "year";
  return named && { span, relation: "range", named, whole: null, yearly, vague: false };
}

interface Chosen {
  readonly reference: number;
  /** Null where nobody can tell: what comes round again then names no date. */
  readonly lean: TenseDirection | null;
}

/** Years and weeks on either side of the reference that a date may mean. */
const TURNS = [-1, 0, 1] as const;
/** Turns back to the year that the other end of a range names. */
const TURNS_MAX = 60;

/** The first and the last of a range; an end without a year takes the other's. */
export function rangeOf(one: DateExpression, next: DateExpression, reading: Chosen): TimeWindow | null {
  if (one.repeats !== null && next.repeats === null) {
    const last = next.window(0);
    const first = last && latestBefore(one, last.end);
    return first && last && { start: first.start, end: last.end };
  }
  const first = choose(one, reading);
  const last = first && (next.repeats === null ? next.window(0) : earliestAfter(next, first.start));
  return first && last && last.end > first.start ? { start: first.start, end: last.end } : null;
}

function latestBefore(expression: DateExpression, timeMs: number): TimeWindow | null {
  for (let turn = TURNS_MAX; turn >= -TURNS_MAX; turn--) {
    const window = expression.window(turn);
    if (window && window.start < timeMs) return window;
  }
  return null;
}

function earliestAfter(expression: DateExpression, timeMs: number): TimeWindow | null {
  for (let turn = -TURNS_MAX; turn <= TURNS_MAX; turn++) {
    const window = expression.window(turn);
    if (window && window.end > timeMs) return window;
  }
  return null;
}

function single(text: string, expression: DateExpression, reading: DateReading): DateMention | null {
  const { span, repeats, vague } = expression;
  const ahead = wordsAhead(text, expression);
  const relation = relationOf(text, ahead, expression);
  const lean = reading.lean ?? leanHere(text, expression, relation);
  const named = choose(expression, { ...reading, lean });
  if (!named) return null;
  const whole = expression.whole ? choose({ ...expression, window: expression.whole }, { ...reading, lean }) : null;
  const traits = { span, relation, whole, yearly: repeats === "year", vague };
  const offset = OFFSET.exec(ahead);
  return offset
    ? { ...traits, ...offsetFrom(named, offset), span: { start: span.start - offset[0].length, end: span.end } }
    : { ...traits, named };
}

function relationOf(text: string, ahead: string, { span, range }: DateExpression): DateRelation {
  if (range) return "range";
  const near = ahead.slice(-NEAR_BEFORE);
  const named = RELATIONS.find(([, before]) => before.test(near))?.[0];
  if (named) return named;
  return FROM.test(ahead) && ONWARDS.test(text.slice(span.end, span.end + LOOK_BACK)) ? "since" : "at";
}

/** Only what has begun is said to be so "since" then, and what is to be done "by" then is yet to come. */
function leanHere(text: string, { span }: DateExpression, relation: DateRelation): TenseDirection | null {
  const ahead = text.slice(Math.max(0, span.start - NEAR_BEFORE), span.start);
  if (relation === "since" && SINCE.test(ahead)) return "past";
  const sentence = sentenceAround(text, span.start, span.end);
  if (relation === "until" && !OVER.test(sentence)) return "future";
  return tenseAt(text, span);
}

const SINCE = /\bsince\s+(?:the\s+)?$/i;
/** What lasted until then. */
const OVER = /\b(?:was|were|had|did|lasted|stayed|remained|worked|lived)\b/i;

/** The window an expression means: of those that come round again, the last to have begun, the first yet to end, or the nearest. */
export function choose(expression: DateExpression, { reference, lean }: Chosen): TimeWindow | null {
  if (expression.repeats === null) return expression.window(0);
  if (lean === null) return null;
  const windows = TURNS.flatMap((turn) => expression.window(turn) ?? []);
  if (lean === "past") return windows.findLast(({ start }) => start <= reference) ?? null;
  if (lean === "future") return windows.find(({ end }) => end > reference) ?? null;
  const distance = ({ start, end }: TimeWindow) => Math.abs((start + end) / 2 - reference);
  return windows.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** "Two weeks before", "the Saturday after", "the weekend before" a date. */
const OFFSET = new RegExp(
  `\\b(?:the\\s+)?(?:(${COUNT})\\s+(${UNIT})s?|(${WEEKDAY})|(${UNIT}|weekend))\\s+(before|after)\\s+(?:the\\s+)?$`,
  "i",
);

/** The stretch between a date and so much before or after it, the date included: what happened then is often told on it. */
function offsetFrom(named: TimeWindow, offset: RegExpExecArray): Pick<DateMention, "relation" | "named"> {
  const [, count, countUnit, weekday, unit, side] = offset;
  const isBefore = side?.toLowerCase() === "before";
  const sign = isBefore ? -1 : 1;
  const edge = isBefore ? named.start : named.end;
  const reach = weekday
    ? nextWeekday(edge, weekday, sign)
    : addUnits(edge, sign * countOf(count ?? "one"), lengthOf(countUnit ?? unit ?? ""));
  return {
    relation: "range",
    named: { start: Math.min(reach, named.start), end: Math.max(reach, named.end) },
  };
}

const lengthOf = (word: string): Unit => (word.toLowerCase() === "weekend" ? "week" : unitOf(word));

/** The weekday nearest to an edge on one side of it: its first moment before, the end of it after. */
function nextWeekday(edge: number, name: string, sign: number): number {
  const monday = startOfWeek(edge);
  const days = [-2, -1, 0, 1, 2].map((turn) => monday + (weekdayOf(name) + turn * WEEK_DAYS) * DAY_MS);
  const found = sign < 0 ? days.findLast((day) => day < edge) : days.find((day) => day >= edge);
  return (found ?? edge) + (sign > 0 ? DAY_MS : 0);
}
