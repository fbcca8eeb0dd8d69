import type { Page } from "../core/ports/page.ts";
import type { WithHeaders } from "./operation.ts";
import { withHeaders } from "./operation.ts";

/** Says that there is more than the reply holds. */
export const TRUNCATED = { "X-Truncated": "true" } as const;

/** How a list says that it goes on, for the documentation. */
export const PAGED =
  "A page also ends before it grows too large for one reply. The header X-Next-Offset says where the rest begins.";

/** The rows of a page, and in a header where the next one begins. */
export const paged = <T>({ items, more }: Page<T>, { offset }: { offset: number }): T[] | WithHeaders<T[]> =>
  nextPage([...items], more ? offset + items.length : null);

/** A reply, and in a header where the rest begins. */
export const nextPage = <T>(reply: T, next_offset: number | null): T | WithHeaders<T> =>
  next_offset === null ? reply : withHeaders(reply, { ...TRUNCATED, "X-Next-Offset": String(next_offset) });
