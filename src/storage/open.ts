import type { SearchStorage } from "../core/ports/context.ts";
import type { Storage } from "../core/ports/storage.ts";
import type { Salvaged } from "../core/schema/integrity.ts";
import type { ReaderOptions, StorageOptions } from "./options.ts";
import { hasData } from "./sqlite/engine/folder-files.ts";
import { openSqlite } from "./sqlite/open.ts";
import { openSqliteReader } from "./sqlite/open-reader.ts";
import { compact } from "./sqlite/salvage/compact.ts";
import type { SalvageOptions } from "./sqlite/salvage/salvage.ts";
import { salvage } from "./sqlite/salvage/salvage.ts";

/** Opens the storage engine. Throws AppError UNAVAILABLE naming the folder and the cause when it cannot. */
export function openStorage(options: StorageOptions): Storage {
  return openSqlite(options);
}

/** Opens storage that another thread of this process writes, to search in it. */
export function openReader(options: ReaderOptions): SearchStorage {
  return openSqliteReader(options);
}

/** Whether a folder holds the data of a Cairn, damaged or not. */
export function holdsData(folder: string): boolean {
  return hasData(folder);
}

/** Saves what can be read of a damaged data folder that no server uses; null where nothing is damaged, or nothing there. */
export function salvageStorage(options: SalvageOptions): Salvaged | null {
  return salvage(options);
}

/** Leaves nothing in the data file of a folder that no server uses but what it holds. Throws AppError where there is no room. */
export function compactStorage(folder: string): void {
  compact(folder);
}
