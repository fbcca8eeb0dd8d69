import type { Span, ValueKind } from "../claims/claim.ts";
import type { Token } from "../claims/lexer.ts";

/** How exactly an amount is meant. */
export type Bound = "exact" | "about" | "least" | "most";

/** What is known of a date; a part that is not said is left out. */
export interface DateParts {
  readonly year?: number;
  /** 1 to 12. */
  readonly month?: number;
  readonly day?: number;
  /** 0 is Sunday. */
  readonly weekday?: number;
  /** Days that are spoken of together. */
  readonly days?: "weekdays" | "weekend";
  readonly quarter?: number;
  /** Weeks since the first Monday of 1970. */
  readonly week?: number;
  readonly season?: string;
}

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
  readonly date?: DateParts;
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
export type ValueReader = (tokens: readonly Token[], index: number, reference_ms: number) => ValueMatch | null;

const DIGITS = 6;

/** An amount as text: the same for amounts that differ only by rounding of units. */
export const amountKey = (amount: number): string => String(Number(amount.toPrecision(DIGITS)));
