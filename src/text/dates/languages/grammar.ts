import type { DateRelation } from "../relations.ts";
import type { DatePattern } from "../vocabulary.ts";

/** How a language writes dates, and what its sentences say of them. */
export interface Grammar {
  readonly patterns: readonly DatePattern[];
  /** What stands right before a date, or right behind it, and tells how the text stands to it. */
  readonly before: readonly (readonly [relation: DateRelation, words: RegExp])[];
  readonly behind: readonly (readonly [relation: DateRelation, words: RegExp])[];
  /** Before a date that lies behind. */
  readonly since: RegExp;
  /** All that stands between the ends of a range. */
  readonly link: RegExp;
  /** Words before two dates, and between them, that make them a range. */
  readonly between: RegExp;
  readonly and: RegExp;
  /** What is so again and again, or only if. */
  readonly habit: RegExp;
  /** Words that tell a sentence of what has been, or of what is to come. */
  readonly past: RegExp;
  readonly future: RegExp;
}

/** Years, and the counts of days in a month, as everybody writes them. */
export const YEAR = "(?:19[7-9]\\d|20\\d\\d|2100)";
/** Behind a month: years that are taken for no date as well, so that the month is not one of this year. */
export const ANY_YEAR = "(?:1[6-9]|2\\d)\\d\\d";
export const DAY = "(?:[12]\\d|3[01]|0?[1-9])";

/** Whether a place stands where a sentence begins, so that a capital says nothing. */
export const beginsSentence = (text: string, index: number): boolean =>
  /(?:^|[.!?:\n]\s{0,4}|[-*#>"'«„“¿¡(]\s{0,4})$/.test(text.slice(Math.max(0, index - 4), index)) ||
  text.slice(0, index).trim() === "";
