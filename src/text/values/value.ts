import type { TimeWindow } from "../dates/calendar.ts";
import type { Span, Token } from "../words/tokenize.ts";

/** What a value measures; values of different kinds are never compared. */
export type ValueKind = "number" | "money" | "date" | "time" | "duration" | "frequency" | "version";

/** How exactly an amount is meant. */
export type Bound = "exact" | "about" | "least" | "most";

/** A value found in a text, in one form. */
export interface Value extends Span {
  readonly kind: ValueKind;
  /** Equal exactly when two values are the same. */
  readonly key: string;
  /** Tokens that it is made of, from the first up to but without the second. */
  readonly from: number;
  readonly to: number;
  /** In the base unit of its dimension. */
  readonly amount?: number;
  /** What is measured: a base unit, a currency, the stem of what is counted; empty for a bare number. */
  readonly dimension?: string;
  /** Stems of all words between the number and what is counted, that included. */
  readonly counted?: readonly string[];
  /** The upper end of a range, of which `amount` is the lower. */
  readonly high?: number;
  /** The unit as written. */
  readonly unit?: string;
  /** Unit of time or thing that the amount is for: `month` of "a month". */
  readonly per?: string;
  readonly bound?: Bound;
  /** Of a date: the days that it names. */
  readonly window?: TimeWindow;
  /** Hours that do not say which half of the day they are in. */
  readonly half_day_open?: boolean;
}

/** What a reader found at a token: the value without its place, and the first token after it. */
export interface ValueMatch {
  /** Null for words that can mean no value, nor a part of them: "29 February 2023". */
  readonly value: Omit<Value, "start" | "end" | "from" | "to"> | null;
  readonly to: number;
}

/** A reader tries one kind of value at one token. */
export type ValueReader = (tokens: readonly Token[], index: number) => ValueMatch | null;

/** Enough for any count, few enough to hide what adding up units leaves. */
const DIGITS = 12;

/** An amount as text: the same for amounts that differ only by rounding of units. */
export const amountKey = (amount: number): string => String(Number(amount.toPrecision(DIGITS)));
