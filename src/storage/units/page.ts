import type { Page, PageBounds } from "../../core/ports/page.ts";
import type { Unit } from "./unit.ts";

/** Names and short fields of a row, as a reply writes them. */
export const ROW_BYTES = 1_000;

/** How many of the first rows, by their sizes, fit; one does, whatever its size. */
export function fitting(sizes: readonly number[], { limit, bytes }: PageBounds): number {
  let room = bytes;
  const end = sizes.findIndex((size, i) => {
    room -= size;
    return i >= limit || (room < 0 && i > 0);
  });
  return end < 0 ? sizes.length : end;
}

/** A page of rows: their sizes are read first, one more than may be on it, so that what does not fit is never read. */
export function* pageOf<T>(
  bounds: PageBounds,
  sizesOf: (limit: number) => Unit<readonly { readonly size: number }[]>,
  rowsOf: (limit: number) => Unit<readonly T[]>,
): Unit<Page<T>> {
  const sizes = yield* sizesOf(bounds.limit + 1);
  const count = fitting(
    sizes.map(({ size }) => size),
    bounds,
  );
  return { items: count === 0 ? [] : yield* rowsOf(count), more: count < sizes.length };
}
