import type { Quotable } from "./quoted-context.ts";
import { isQuotedWarning, isReported } from "./quoted-context.ts";
import type { View } from "./views.ts";
import { placeOf } from "./views.ts";

/** What a scan may find; the codes of the existing product, and more for what it does not look for. */
export const SCAN_CODES = [
  "PROMPT_INJECTION",
  "SHELL_INJECTION",
  "DATA_EXFILTRATION",
  "URL_EXFILTRATION",
  "HIDDEN_TEXT",
  "HOMOGLYPH",
  "ENCODED_PAYLOAD",
  "SECRET",
  "PATH_VIOLATION",
  "PII_SSN",
  "PII_CC",
  "PII_PHONE",
  "PII_EMAIL",
  "MEMORY_ID_STUFFING",
  "BODY_TOO_LARGE",
  "DESCRIPTION_TOO_LARGE",
  "FIELD_TOO_LARGE",
  "TOO_MANY_FILES",
  "MALFORMED_INPUT",
] as const;
export type ScanCode = (typeof SCAN_CODES)[number];
export type Severity = "critical" | "warn" | "info";

/** Something found at a place of one text. */
export interface Sign {
  readonly code: ScanCode;
  readonly severity: Severity;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** Matches of one rule whose surroundings are looked at; who shows more of one kind than this is not warning of it. */
const MATCHES_MAX = 50;

export interface Searched {
  readonly code: ScanCode;
  readonly raw: string;
  readonly view: View;
  /** Who may quote what is looked for to warn of it; in a script nothing is a quotation. */
  readonly quotable: Quotable;
}

/** What one kind of attack looks like, in as many ways as it is written. */
export type Rule = readonly [message: string, ...patterns: RegExp[]];

/** A place of a view. */
export interface Span {
  readonly index: number;
  readonly length: number;
}

/** The places of a pattern's matches, found as they are asked for. */
export const spansOf = (text: string, pattern: RegExp): Iterable<Span> =>
  text.matchAll(pattern).map(({ index, 0: found }) => ({ index, length: found.trimEnd().length || 1 }));

/** The first match of each rule that is meant, not shown by somebody who warns of it. */
export function ruleSigns(searched: Searched, rules: readonly Rule[]): Sign[] {
  const { text } = searched.view;
  return rules.flatMap(([message, ...patterns]) =>
    patterns.flatMap((pattern) => firstUnquoted(searched, message, spansOf(text, pattern))).slice(0, 1),
  );
}

/** The first of these places that is meant, as a list of one; none when all are shown. */
export function firstUnquoted({ code, raw, view, quotable }: Searched, message: string, spans: Iterable<Span>): Sign[] {
  let seen = 0;
  for (const { index, length } of spans) {
    const { start, end } = placeOf(view, index, length);
    if (quotable !== "never" && ++seen <= MATCHES_MAX && isShown(raw, start, end, quotable)) continue;
    return [{ code, severity: "critical", message, start, end }];
  }
  return [];
}

const isShown = (raw: string, start: number, end: number, quotable: Quotable): boolean =>
  isQuotedWarning(raw, start, end, quotable) || (quotable === "text" && isReported(raw, start, end));
