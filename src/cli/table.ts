import { cutTo, padTo, widthOf } from "./columns.ts";

/** One column of a table for people. */
export interface Column<T> {
  readonly title: string;
  readonly value: (row: T) => string;
  /** Set against the right edge: numbers. */
  readonly isRight?: boolean;
  /** Gives way, cut short, where the terminal is too narrow. */
  readonly isWide?: boolean;
}

const GAP = "  ";
/** A wide column never gets narrower than this. */
const WIDE_MIN = 12;

/** Lines of a table that fits a terminal of `width` columns, wide characters counted as two; the first line holds the titles. */
export function tableLines<T>(rows: readonly T[], columns: readonly Column<T>[], width: number): string[] {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => value(row)))];
  const natural = columns.map((_, i) => Math.max(...cells.map((line) => widthOf(line[i] ?? ""))));
  const sizes = fitted(natural, columns, width);
  return cells.map((line) =>
    line
      .map((cell, i) => padTo(cutTo(cell, sizes[i] ?? 0), sizes[i] ?? 0, columns[i]))
      .join(GAP)
      .trimEnd(),
  );
}

function fitted<T>(natural: readonly number[], columns: readonly Column<T>[], width: number): number[] {
  const wide = columns.filter(({ isWide }) => isWide).length;
  const all = natural.reduce((sum, size) => sum + size, 0) + GAP.length * (natural.length - 1);
  const excess = all - width;
  if (excess <= 0 || wide === 0) return [...natural];
  const each = Math.ceil(excess / wide);
  return natural.map((size, i) => (columns[i]?.isWide ? Math.max(Math.min(size, WIDE_MIN), size - each) : size));
}
