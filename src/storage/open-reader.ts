import type { ReaderOptions, StorageReader } from "./options.ts";
import { openSqliteReader } from "./sqlite/open-reader.ts";

/** Opens storage that another thread of this process writes, to search in it. A file of its own: such a thread loads no other engine. */
export function openReader(options: ReaderOptions): StorageReader {
  return openSqliteReader(options);
}
