import { isRecord } from "../../../api/problem.ts";

/** What the scan found in a skill. */
export interface Finding {
  /** Its place in the list, from 1. */
  readonly number: number;
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  /** The member of the skill in which it was found: `content`, `description`, `support_files[0].body`. */
  readonly locator: string;
  /** Where in the text of that member, in UTF-16 units; null where no part of it shows it. */
  readonly place: { readonly start: number; readonly end: number } | null;
}

/** A part of a text, and the findings that it belongs to. */
export interface Piece {
  readonly start: number;
  readonly text: string;
  readonly findings: readonly Finding[];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The findings of a scan as skills carry them; what is none is left out. */
export function findingsOf(records: unknown): Finding[] {
  const all = Array.isArray(records) ? records.filter(isRecord) : [];
  return all.map(({ code, severity, message, locator, start, end }, i) => ({
    number: i + 1,
    code: textOf(code),
    severity: textOf(severity),
    message: textOf(message),
    locator: textOf(locator),
    place: typeof start === "number" && typeof end === "number" && start < end ? { start, end } : null,
  }));
}

/** A text from one place to another, cut where a finding begins or ends; findings may lie over each other. */
export function piecesOf(text: string, findings: readonly Finding[], from = 0, to = text.length): Piece[] {
  const cuts = findings.flatMap(({ place }) => (place ? [place.start, place.end] : []));
  const inner = cuts.filter((cut) => cut > from && cut < to);
  const places = [...new Set([from, ...inner, to])].sort((a, b) => a - b);
  return places.slice(1).map((end, i) => {
    const start = places[i] ?? from;
    const over = findings.filter(({ place }) => place && place.start < end && place.end > start);
    return { start, text: text.slice(start, end), findings: over };
  });
}

/** The line of a text in which a place lies, from 1. */
export const lineAt = (text: string, place: number): number => text.slice(0, place).split("\n").length;
