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

/** Whether a place stands where a sentence begins, so that a capital says nothing. */
export const beginsSentence = (text: string, index: number): boolean =>
  /(?:^|[.!?:\n]\s{0,4}|[-*#>"'«„“¿¡(]\s{0,4})$/.test(text.slice(Math.max(0, index - 4), index)) ||
  text.slice(0, index).trim() === "";
