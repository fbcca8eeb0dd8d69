import { DAY_MS, toTimestamp } from "../../core/kernel/clock.ts";
import { parseInstant } from "../../core/schema/common.ts";
import { readDates } from "../../text/dates/read-dates.ts";

/** A date that names its year or month: "2 days ago" is none of a heading's. */
const NAMES_DATE = /\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;
const WEEKDAYS = /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b/gi;

export interface HeadingDate {
  /** When the day begins, or the time that the heading gives; as a timestamp. */
  readonly moment: string;
  /** Whether the heading says nothing else. */
  readonly alone: boolean;
}

/** The day that a heading names, if it names just one; without its year it is the last before `written`, a timestamp. */
export function dateOfHeading(heading: string, written: string): HeadingDate | null {
  if (!NAMES_DATE.test(heading)) return null;
  const text = heading.replace(WEEKDAYS, " ").trim();
  const [mention, ...others] = readDates(text, { reference: Date.parse(written), lean: "past" });
  const isDay = mention?.relation === "at" && mention.named.end - mention.named.start <= DAY_MS;
  if (!mention || !isDay || others.length > 0) return null;
  const rest = text.slice(0, mention.span.start) + text.slice(mention.span.end);
  return { moment: toTimestamp(mention.named.start), alone: !/[\p{L}\p{N}]/u.test(rest) };
}

const LEADING_DAY = /^[[(*_]*(\d{4}-\d\d-\d\d)(?!\d)/;

/** The day that a log's entry begins with: "2026-03-04: moved to pnpm". */
export const dayOfEntry = (text: string): string | null => parseInstant(LEADING_DAY.exec(text)?.[1] ?? "");

const DAY_IN_NAME = /(?:^|\/)((?:19|20)\d\d)[-_./]?(\d\d)[-_./]?(\d\d)(?!\d)[^/]*$/;

/** The day that a file is named after: a daily note, a post. */
export function dayOfPath(path: string): string | null {
  const [, year, month, day] = DAY_IN_NAME.exec(path) ?? [];
  return year === undefined ? null : parseInstant(`${year}-${month}-${day}`);
}

/** Gives each thing said at one moment a millisecond of its own, so that what stands later is newer. */
export function orderedMoments(): (moment: string) => string {
  const said = new Map<string, number>();
  return (moment) => {
    const before = said.get(moment) ?? 0;
    said.set(moment, before + 1);
    return toTimestamp(Date.parse(moment) + before);
  };
}
