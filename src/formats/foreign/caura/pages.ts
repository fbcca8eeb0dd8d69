import { z } from "zod";
import { AppError } from "../../../core/kernel/errors.ts";
import type { JsonValue } from "../../../core/kernel/json.ts";
import { isJsonObject } from "../../../core/kernel/json.ts";
import type { Asked, Query } from "./ask.ts";
import { noInterface } from "./ask.ts";

export interface PageOptions {
  readonly path: string;
  readonly query: Query;
  /** Rows of a page. */
  readonly size: number;
}

const CursorPage = z.object({ items: z.array(z.unknown()), next_cursor: z.string().nullish() });
type CursorPage = z.infer<typeof CursorPage>;

/**
 * The rows of a list that is read newest first, oldest first: the first pass learns where pages begin, the second reads them
 * from the last. Only two pages are in memory at a time. Rows that are written meanwhile are not among them.
 */
export async function* oldestFirst(asked: Asked, { path, query, size }: PageOptions): AsyncIterable<unknown> {
  const pageAt = async (cursor: string | null): Promise<CursorPage> => {
    const { data } = CursorPage.safeParse((await asked.get(path, { ...query, limit: size, cursor })).body);
    if (!data) throw noInterface(asked.addressOf(path));
    return data;
  };
  // Read again without a cursor, the first page would hold what was written since.
  const first = await pageAt(null);
  const cursors: string[] = [];
  let last = first;
  while (last.next_cursor && last.items.length > 0) {
    if (cursors.includes(last.next_cursor)) throw goesRound(asked, path);
    cursors.push(last.next_cursor);
    last = await pageAt(last.next_cursor);
  }
  if (cursors.length > 0) yield* last.items.toReversed();
  for (const cursor of cursors.slice(0, -1).toReversed()) yield* (await pageAt(cursor)).items.toReversed();
  yield* first.items.toReversed();
}

const goesRound = (asked: Asked, path: string): AppError =>
  new AppError("BAD_REQUEST", `${asked.addressOf(path)} gives the same page again and again. Report it to its maker.`);

/** Lists that are read by offset: an array, or an object whose `name` is one. */
export async function* pagesOf(
  asked: Asked,
  { path, query, size }: PageOptions,
  name: string | null = null,
): AsyncIterable<JsonValue> {
  let offset = 0;
  let before = "";
  for (;;) {
    const { body, next_offset } = await asked.get(path, { ...query, limit: size, offset });
    const rows = name !== null && isJsonObject(body) ? body[name] : body;
    if (!Array.isArray(rows)) throw noInterface(asked.addressOf(path));
    const text = JSON.stringify(rows);
    // A server that knows no offset gives the same rows each time.
    if (rows.length === 0 || text === before) return;
    yield body;
    if (next_offset === null && rows.length < size) return;
    offset = next_offset ?? offset + rows.length;
    before = text;
  }
}
