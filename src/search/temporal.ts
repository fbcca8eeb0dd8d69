import { DAY_MS } from "../core/kernel/clock.ts";
import type { HitMemory } from "../core/ports/hits.ts";
import { inferredOf } from "../memories/inferred-fields.ts";
import type { TimeWindow } from "../text/dates/calendar.ts";
import { shiftYears } from "../text/dates/calendar.ts";
import { grammarOf } from "../text/dates/languages/grammars.ts";
import { readDates } from "../text/dates/read-dates.ts";
import type { DateMention } from "../text/dates/relations.ts";

/** A stretch of time that a query asks about. */
export interface QueryTime {
  /** Open ends are infinite. */
  readonly window: TimeWindow;
  /** Without a year, and closed on both sides: other years may be meant. */
  readonly yearly: boolean;
  /** 0 to 1: how much it tells that a row lies in it; a day tells more than a year. */
  readonly specificity: number;
}

/** What a window that is open on one side tells, and one of a year or more. */
const TELLING_MIN = 0.25;
/** What is lost with each doubling of the days: a month tells half as much as a day. */
const LOST_PER_DOUBLING = 0.09;
/** A date without a year means that of the sentence's tense first, and less surely that of other years. */
const OTHER_YEAR = 0.9;

const specificity = ({ start, end }: TimeWindow): number =>
  Math.max(TELLING_MIN, 1 - LOST_PER_DOUBLING * Math.max(0, Math.log2((end - start) / DAY_MS)));

/** The times a query asks about; `now` is the moment that "last week" counts from, in epoch milliseconds. */
export const queryTimes = (query: string, now: number): QueryTime[] =>
  readDates(query, { reference: now, ...(asksAhead(query) ? {} : { lean: "past" }) }).flatMap((mention) =>
    windowsOf(mention, now).map(([window, tells]) => ({
      window,
      yearly: mention.yearly && Number.isFinite(window.end - window.start),
      specificity: tells,
    })),
  );

const asksAhead = (query: string): boolean => AHEAD.test(query) || grammarOf(query)?.future.test(query) === true;

/** Memories are of the past, unless the query says otherwise. */
const AHEAD = /\b(?:will|next|upcoming|plan(?:s|ned)?|scheduled|due|deadline|going to|tomorrow|coming)\b/i;
/** A date up to this long is also asked about by "before" and "after" it: what was then is often told on it. */
const BOUNDARY_DAYS = 7;

function windowsOf({ relation, named, whole }: DateMention, now: number): (readonly [TimeWindow, number])[] {
  const own: readonly [TimeWindow, number] = [named, specificity(named)];
  const boundary = named.end - named.start <= BOUNDARY_DAYS * DAY_MS ? [own] : [];
  switch (relation) {
    case "since":
      return [
        [
          { start: named.start, end: Number.POSITIVE_INFINITY },
          specificity({ start: named.start, end: Math.max(now, named.end) }),
        ],
      ];
    case "until":
      return [[{ start: Number.NEGATIVE_INFINITY, end: named.end }, TELLING_MIN], ...boundary];
    case "before":
      return [[{ start: Number.NEGATIVE_INFINITY, end: named.start }, TELLING_MIN], ...boundary];
    case "after":
      return [[{ start: named.end, end: Number.POSITIVE_INFINITY }, TELLING_MIN], ...boundary];
    default:
      // Whoever says "early June" is not sure of the day.
      return whole ? [own, [whole, specificity(whole)]] : [own];
  }
}

/** What is left of a fit just outside the window, and the days over which that fades: what happened is often told later. */
const OUTSIDE = 0.5;
const NEAR_DAYS = 10;

/** 0 to 1: how well the time of a row fits the times a query asks about. */
export function timeMatch(memory: HitMemory, asked: readonly QueryTime[]): number {
  let best = 0;
  const times = timesOf(memory);
  for (const one of asked) for (const time of times) best = Math.max(best, one.specificity * fit(one, time));
  return best;
}

function fit({ window, yearly }: QueryTime, time: TimeWindow): number {
  const own = closeness(window, time);
  if (!yearly || own === 1) return own;
  const years = yearOf(time.start) - yearOf(window.start);
  const other = years === 0 ? null : shiftYears(window, years);
  return Math.max(own, other === null ? 0 : OTHER_YEAR * closeness(other, time));
}

const yearOf = (time_ms: number): number => new Date(time_ms).getUTCFullYear();

/** 1 for windows that share a moment, else less the more days lie between them. */
function closeness(a: TimeWindow, b: TimeWindow): number {
  const gap = Math.max(a.start - b.end, b.start - a.end) / DAY_MS;
  return gap < 0 ? 1 : OUTSIDE * Math.exp(-gap / NEAR_DAYS);
}

/** Characters of a row that are read for the time it tells of. */
const READ_WITHIN = 600;

/** When what a row tells was so: its validity, else the dates in its text, else when it was written. */
function timesOf(memory: HitMemory): TimeWindow[] {
  const told = Date.parse(memory.ts_valid_start ?? memory.created_at);
  const end = memory.ts_valid_end === null ? told + DAY_MS : Date.parse(memory.ts_valid_end);
  const own = { start: Math.min(told, end - DAY_MS), end };
  // What was read from the text when it was written is not read again.
  if (inferredOf(memory).includes("ts_valid_start")) return [own];
  const named = readDates(memory.content.slice(0, READ_WITHIN), { reference: told, lean: "near" });
  return [own, ...named.map((mention) => mention.named)];
}
