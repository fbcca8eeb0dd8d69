import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Page, PageBounds } from "../../../core/ports/page.ts";
import { fitting, ROW_BYTES } from "../../common/page-size.ts";

/** SQL of the bytes that a row takes in a reply, by its large columns, texts or JSON; names are constants. */
export const sizeText = (table: string, columns: readonly string[]): SQL =>
  sql.raw(
    `(${[ROW_BYTES, ...columns.map((column) => `coalesce(octet_length(${table}.${column}::text), 0)`)].join(" + ")})`,
  );

/** A page of rows: their sizes are read first, one more than may be on it, so that what does not fit is never read. */
export async function pageOf<T>(
  bounds: PageBounds,
  sizesOf: (limit: number) => Promise<readonly number[]>,
  rowsOf: (limit: number) => Promise<readonly T[]>,
): Promise<Page<T>> {
  const sizes = await sizesOf(bounds.limit + 1);
  const count = fitting(sizes, bounds);
  return { items: count === 0 ? [] : await rowsOf(count), more: count < sizes.length };
}
