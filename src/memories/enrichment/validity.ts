import { DAY_MS, toTimestamp } from "../../core/kernel/clock.ts";
import type { MemoryType } from "../../core/schema/memory.ts";
import type { DateMention } from "../../text/dates/relations.ts";
import { sentenceAround } from "../../text/dates/tense.ts";
import { QUESTION_MARKS } from "../../text/sentence-marks.ts";

/** From when and until when a statement holds, as its text says; null where it does not. */
export interface Validity {
  readonly ts_valid_start: string | null;
  readonly ts_valid_end: string | null;
}

export interface ValidityContext {
  readonly memory_type: MemoryType;
  /** The moment of writing, in epoch milliseconds. */
  readonly reference: number;
}

/** Dates behind this place belong to the details. */
const WITHIN = 600;
/** A text of more dates than this tells a history, and holds at none of them. */
const DATES_MAX = 4;

const ALWAYS: Validity = { ts_valid_start: null, ts_valid_end: null };

/**
 * When the first date of a text says that it holds: a point or "since" gives the start, "until", "by" and "due" the end, a range
 * both. A point gives no end: what happened in Q3 stays true. An episode has no end either, being over once it happened.
 */
export function validityOf(content: string, mentions: readonly DateMention[], about: ValidityContext): Validity {
  const near = mentions.filter(({ span }) => span.start < WITHIN && !isAsked(content, span.start, span.end));
  if (near.length === 0 || near.length > DATES_MAX) return ALWAYS;
  const starts = near.find((mention) => tellsStart(mention, about));
  const ends = near.find(({ relation }) => relation === "until" || relation === "before" || relation === "range");
  const first = starts && startOf(starts);
  const last = ends && about.memory_type !== "episode" ? endOf(ends) : null;
  return between(first ?? null, last);
}

/** A decision or a liking holds from when it is written: the date in "the budget for next year" is of something else. */
function tellsStart({ relation, named }: DateMention, { memory_type, reference }: ValidityContext): boolean {
  if (relation === "until" || relation === "before") return false;
  const holdsAtOnce = memory_type === "decision" || memory_type === "preference";
  return !(holdsAtOnce && relation === "at" && named.start > reference);
}

const ASKED = new RegExp(`[${QUESTION_MARKS}]\\s*$`);
const isAsked = (content: string, start: number, end: number): boolean =>
  ASKED.test(sentenceAround(content, start, end));

function startOf({ relation, named, vague }: DateMention): number {
  if (relation === "after") return named.end;
  return vague ? startOfMiddle(named.start, named.end) : named.start;
}

/** The day in the middle of a vague window. */
const startOfMiddle = (start: number, end: number): number => Math.floor((start + end) / 2 / DAY_MS) * DAY_MS;

/** The last moment that still belongs to it. */
const endOf = ({ relation, named }: DateMention): number => (relation === "before" ? named.start : named.end) - 1;

const between = (start: number | null, end: number | null): Validity => ({
  ts_valid_start: start === null ? null : toTimestamp(start),
  ts_valid_end: end === null || (start !== null && end <= start) ? null : toTimestamp(end),
});
