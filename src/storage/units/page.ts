import type { Page, PageBounds } from "../../core/ports/page.ts";
import { fitting } from "../common/page-size.ts";
import type { Unit } from "./unit.ts";

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
