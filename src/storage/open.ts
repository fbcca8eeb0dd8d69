import type { Storage } from "../ports/storage.ts";
import type { StorageOptions } from "./options.ts";
import { openSqlite } from "./sqlite/open.ts";

/** Opens the storage engine. Throws AppError UNAVAILABLE naming the folder and the cause when it cannot. */
export function openStorage(options: StorageOptions): Storage {
  return openSqlite(options);
}
