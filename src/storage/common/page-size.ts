import type { PageBounds } from "../../core/ports/page.ts";

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
