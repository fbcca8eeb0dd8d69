import type { Page, PageBounds } from "../../../core/ports/page.ts";
import { fitting, ROW_BYTES } from "../../common/page-size.ts";

/** SQL of the bytes that a row takes in a reply, by its large columns; SQLite knows them without reading the texts. */
export const sizeText = (table: string, columns: readonly string[]): string =>
  [ROW_BYTES, ...columns.map((column) => `coalesce(octet_length(${table}.${column}), 0)`)].join(" + ");

/** A page of rows: their sizes are read first, one more than may be on it, so that what does not fit is never read. */
export function pageOf<T>(
  bounds: PageBounds,
  sizesOf: (limit: number) => readonly number[],
  rowsOf: (limit: number) => readonly T[],
): Page<T> {
  const sizes = sizesOf(bounds.limit + 1);
  const count = fitting(sizes, bounds);
  return { items: count === 0 ? [] : rowsOf(count), more: count < sizes.length };
}
