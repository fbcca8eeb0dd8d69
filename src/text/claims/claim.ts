/** Where a piece of text stands in its memory, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a value is, once normalised; values of different kinds are never compared. */
export type ValueKind =
  | "number"
  | "money"
  | "date"
  | "time"
  | "duration"
  | "frequency"
  | "version"
  | "boolean"
  | "place"
  | "text";

/** How surely a text says something: only what is asserted can clash. */
export type Modality = "asserted" | "planned" | "supposed" | "asked" | "reported";

/** One thing that a memory says of another: its subject, what of it, and the value. */
export interface Claim {
  /** The subject as written. */
  readonly subject: string;
  /** The subject folded, without articles and endings, so that two ways to write it are equal. */
  readonly subject_key: string;
  /** What is said of the subject, as one word: `located_in`, `status`, `version`. */
  readonly predicate: string;
  /** The value as written. */
  readonly value: string;
  readonly value_kind: ValueKind;
  /** The value in one form: equal exactly when two values are the same. */
  readonly value_key: string;
  readonly negated: boolean;
  /** `asserted` unless the text only supposes, plans, asks or quotes it. */
  readonly modality: Modality;
  readonly span: Span;
}
