import { DAY_MS } from "../../core/kernel/clock.ts";
import { CLUE } from "../clues.ts";
import type { TimeWindow, Unit } from "./calendar.ts";
import {
  addUnits,
  daysFrom,
  dayWindow,
  monthsWindow,
  startOfDay,
  startOfWeek,
  unitAround,
  WEEK_DAYS,
} from "./calendar.ts";
import { sentenceAround } from "./tense.ts";
import type { DateMatch, DatePattern } from "./vocabulary.ts";
import {
  COUNT,
  countOf,
  DAY,
  fixed,
  MONTH,
  monthOf,
  ORDINAL,
  PLAIN,
  UNIT,
  unitOf,
  WEEKDAY,
  weekdayOf,
  wordsBefore,
} from "./vocabulary.ts";

const pattern = (source: string): RegExp => new RegExp(source, "gi");
/** Days by which "two weeks ago" may miss at least, by unit. */
const VAGUE_DAYS: Readonly<Record<Unit, number>> = { hour: 0, day: 0, week: 1, month: 3, quarter: 7, year: 14 };

/** And the share of the time between: six months are seldom counted in days. */
const VAGUE_SHARE = 0.1;

/** A moment so many units from the reference, give or take what people give or take. */
export function away(reference: number, count: number, unit: Unit): DateMatch | null {
  const around_ms = addUnits(reference, count, unit);
  const isExact = unit === "hour" || unit === "day";
  const slack = isExact ? 0 : Math.max(VAGUE_DAYS[unit] * DAY_MS, VAGUE_SHARE * Math.abs(around_ms - reference));
  return fixed({ start: startOfDay(around_ms - slack), end: startOfDay(around_ms + slack) + DAY_MS }, { vague: true });
}

/** Whether a word looks back: last, past. */
export const isBack = (word: string): boolean => /^(?:last|past|previous)/i.test(word);
/** Whether a word looks ahead: next, coming. */
export const isAhead = (word: string): boolean => /^(?:next|coming|upcoming|following)/i.test(word);
/** Which week, month or year a word means: -1 the last, 0 this, 1 the next. */
export const turnOf = (word: string): number => (isBack(word) ? -1 : Number(isAhead(word)));

/** The unit before, around or after the one that holds the reference. */
const neighbour = (reference: number, word: string, unit: Unit): TimeWindow =>
  unitAround(addUnits(unitAround(reference, unit).start, turnOf(word), unit), unit);

/** "The past week" rolls back from now; "last week" is the one of the calendar. */
function rolling(reference: number, word: string, unit: Unit, count: number): TimeWindow {
  const other = addUnits(reference, isAhead(word) ? count : -count, unit);
  return { start: startOfDay(Math.min(reference, other)), end: startOfDay(Math.max(reference, other)) + DAY_MS };
}

const RELATIVE_DAYS: Readonly<Record<string, number>> = {
  "day before yesterday": -2,
  yesterday: -1,
  "last night": -1,
  today: 0,
  tonight: 0,
  tomorrow: 1,
  "day after tomorrow": 2,
};

function weekday(reference: number, name: string, turn: number): TimeWindow {
  return daysFrom(startOfWeek(reference) + (weekdayOf(name) + turn * WEEK_DAYS) * DAY_MS, 1);
}

/** "Next Friday" is that of the next week, "this Friday" that of this one, "last Friday" the one most lately gone by. */
function namedWeekday(reference: number, word: string, name: string): TimeWindow {
  const own = weekday(reference, name, 0);
  if (isBack(word)) return own.end <= reference ? own : weekday(reference, name, -1);
  if (/^(?:up)?coming/i.test(word)) return own.start > reference ? own : weekday(reference, name, 1);
  return weekday(reference, name, turnOf(word));
}

/** Short names of weekdays are words too: "sat", "sun", "wed". */
function standsAsWeekday(name: string, before: string): boolean {
  if (/(?:every|each|most|any|on most|all)\s+$/.test(before)) return false;
  if (name.toLowerCase().endsWith("day")) return true;
  return /^[A-Z]/.test(name) && /(?:^|[^a-z])(?:on|by|until|till|since|before|after|from|to)\s+$/.test(before);
}

function bareDay(reference: number, day: number): DateMatch {
  const month = (turn: number) => new Date(addUnits(unitAround(reference, "month").start, turn, "month"));
  const window = (turn: number) => dayWindow(month(turn).getUTCFullYear(), month(turn).getUTCMonth(), day);
  return { repeats: "month", ...PLAIN, window };
}

function namedMonth(reference: number, word: string, name: string): TimeWindow | null {
  const year = new Date(reference).getUTCFullYear();
  const turns = [-1, 0, 1].map((turn) => monthsWindow(year + turn, monthOf(name), 1));
  if (isBack(word)) return turns.findLast(({ end }) => end <= reference) ?? null;
  if (isAhead(word)) return turns.find(({ start }) => start > reference) ?? null;
  return turns[1] ?? null;
}

const NEAR = "(?:last|past|previous|this|current|next|coming|upcoming)";

/** Dates that hinge on the moment of writing. */
export const RELATIVE: readonly DatePattern[] = [
  {
    needs: CLUE.day,
    regex: pattern(
      "\\b(?:the\\s+)?(day before yesterday|day after tomorrow|yesterday|last night|today|tonight|tomorrow)\\b",
    ),
    read: ({ reference, match }) => {
      const days = RELATIVE_DAYS[(match[1] ?? "").toLowerCase().replace(/\s+/g, " ")] ?? 0;
      return fixed(daysFrom(reference + days * DAY_MS, 1));
    },
  },
  {
    needs: CLUE.near | CLUE.day,
    regex: pattern("\\bthis\\s+(?:morning|afternoon|evening)\\b"),
    read: ({ reference }) => fixed(daysFrom(reference, 1)),
  },
  {
    needs: CLUE.unit | CLUE.away,
    regex: pattern(`\\b(${COUNT})\\s+(${UNIT})s?\\s+(?:ago|back)\\b`),
    read: ({ reference, match }) => away(reference, -countOf(match[1] ?? ""), unitOf(match[2] ?? "")),
  },
  {
    needs: CLUE.unit,
    regex: pattern(
      `\\b(?:in\\s+(?:about\\s+)?(${COUNT})\\s+(${UNIT})s?(?=[\\s.,;:!?)]*$|[.,;:!?)]|\\s+(?:we|i|he|she|they|you|the|and|at|from)\\b)|(${COUNT})\\s+(${UNIT})s?\\s+from\\s+(?:now|today))`,
    ),
    read: ({ reference, text, match }) => {
      const [, count, unit, countFrom, unitFrom] = match;
      // "Done in two days" says how long it took.
      if (count !== undefined && TOOK.test(sentenceAround(text, match.index, match.index))) return null;
      if (RATE.test(wordsBefore(text, match.index))) return null;
      return away(reference, countOf(count ?? countFrom ?? ""), unitOf(unit ?? unitFrom ?? ""));
    },
  },
  {
    needs: CLUE.near | CLUE.unit,
    regex: pattern(`\\b(?:the\\s+)?(last|past|previous|next|coming|following)\\s+(${COUNT})\\s+(${UNIT})s?\\b`),
    read: ({ reference, match }) =>
      fixed(rolling(reference, match[1] ?? "", unitOf(match[3] ?? ""), countOf(match[2] ?? ""))),
  },
  {
    // Friday last week, Monday of next week
    needs: CLUE.weekday | CLUE.near,
    regex: pattern(`\\b(${WEEKDAY})\\s+(?:of\\s+)?(last|this|next)\\s+week\\b`),
    read: ({ reference, match }) => fixed(weekday(reference, match[1] ?? "", turnOf(match[2] ?? ""))),
  },
  {
    needs: CLUE.near | CLUE.unit,
    regex: pattern(`\\b(${NEAR})\\s+(${UNIT}|weekend)\\b(?!s)`),
    read: ({ reference, match }) => {
      const [, word = "", name = ""] = match;
      if (name.toLowerCase() === "weekend") {
        const week = neighbour(reference, word, "week");
        return fixed({ start: week.end - 2 * DAY_MS, end: week.end });
      }
      const unit = unitOf(name);
      if (unit === "hour" || unit === "day") return null;
      const rolls = /^past/i.test(word);
      return fixed(rolls ? rolling(reference, word, unit, 1) : neighbour(reference, word, unit));
    },
  },
  {
    needs: CLUE.near | CLUE.weekday,
    regex: pattern(`\\b(${NEAR})\\s+(${WEEKDAY})\\b(?!s)`),
    read: ({ reference, match }) => fixed(namedWeekday(reference, match[1] ?? "", match[2] ?? "")),
  },
  {
    needs: CLUE.near | CLUE.month,
    regex: pattern(`\\b(last|past|previous|this|next|coming|upcoming)\\s+(${MONTH})\\b(?!\\s+(?:be|not|have|\\d))`),
    read: ({ reference, match }) => {
      const [, word = "", name = ""] = match;
      const isVerb = /^(?:may|march|mar)$/.test(name) && /^this$/i.test(word);
      return isVerb ? null : fixed(namedMonth(reference, word, name));
    },
  },
  {
    needs: CLUE.weekday,
    regex: pattern(`\\b(${WEEKDAY})\\b(?!s)`),
    read: ({ reference, text, match }) => {
      const [name] = match;
      if (!standsAsWeekday(name, wordsBefore(text, match.index))) return null;
      return { repeats: "week", ...PLAIN, window: (turn) => weekday(reference, name, turn) };
    },
  },
  {
    needs: CLUE.ordinal,
    regex: pattern(
      `\\b(?:on|by|until|till|since|before|after|from)\\s+the\\s+(${DAY})${ORDINAL}\\b(?!\\s+(?:of\\s+(?!(?:this|last|next|the)\\s+month)|[a-z]{3,})|-)(?:\\s+of\\s+(this|last|next|the)\\s+month)?`,
    ),
    read: ({ reference, match }) => {
      const [, day, word] = match;
      const found = bareDay(reference, Number(day));
      return word === undefined ? found : fixed(found.window(turnOf(word)));
    },
  },
];

/** "365 days in a year" */
const RATE = /\d \w+\s$|how many (?:(?!how many )[\w ])+\s$/;
const TOOK = /\b(?:was|were|did|done|took|made|built|wrote|finished|completed|\w{2,}ed|within|once|twice|times)\b/i;
