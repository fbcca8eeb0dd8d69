import { join } from "node:path";
import type { AnsweringModel } from "../core/ports/keeping/generations.ts";
import type { Storage } from "../core/ports/storage.ts";
import type { Salvaged } from "../core/schema/integrity.ts";
import type { Backup } from "../core/schema/keeping/backup.ts";
import type { StorageOptions } from "./options.ts";
import type { Driver } from "./postgres/engine/driver.ts";
import type { Database, DatabaseOptions } from "./postgres/open.ts";
import { readBackup } from "./sqlite/backup/file-format.ts";
import type { Restored, RestoreOptions } from "./sqlite/backup/restore.ts";
import { restoreBackup } from "./sqlite/backup/restore.ts";
import { DATA_FILE, hasData } from "./sqlite/engine/folder-files.ts";
import { lockFolder } from "./sqlite/engine/folder-lock.ts";
import { readAnsweringModel } from "./sqlite/generations/models.ts";
import { openSqlite } from "./sqlite/open.ts";
import { compact } from "./sqlite/salvage/compact.ts";
import type { SalvageOptions } from "./sqlite/salvage/salvage.ts";
import { salvage } from "./sqlite/salvage/salvage.ts";

/** Opens the storage of a folder, or one in memory. Throws AppError UNAVAILABLE naming the folder and the cause when it cannot. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  return openSqlite(options);
}

/**
 * Connects to the database of an address `postgres://...`, or through a driver that is there already, and brings it to the newest
 * shape. Throws AppError UNAVAILABLE with the cause.
 */
export async function connectDatabase(to: DatabaseOptions | Driver): Promise<Database> {
  // Whoever has no server starts without what speaks to one.
  const { connectPostgres, connectThrough } = await import("./postgres/open.ts");
  return "url" in to ? connectPostgres(to) : connectThrough(to);
}

/** What the data file of a folder says of the model that answers; null where it says nothing, or cannot be read. */
export function answeringModelOf(folder: string): AnsweringModel | null {
  return hasData(folder) ? readAnsweringModel(join(folder, DATA_FILE)) : null;
}

/** Throws AppError UNAVAILABLE while another process owns a folder that has data. */
export function requireUnused(folder: string): void {
  if (hasData(folder)) lockFolder(folder).release();
}

/** Whether a folder holds the data of a Cairn, damaged or not. */
export function holdsData(folder: string): boolean {
  return hasData(folder);
}

/** Saves what can be read of a damaged data folder that no server uses; null where nothing is damaged, or nothing there. */
export function salvageStorage(options: SalvageOptions): Salvaged | null {
  return salvage(options);
}

/** What a backup says of itself. Throws AppError BAD_REQUEST where the file is none. */
export function readBackupFile(file: string): Backup {
  return readBackup(file);
}

/** Puts a backup into a data folder that no server uses, and keeps what was there. Throws AppError. */
export function restoreStorage(options: RestoreOptions): Promise<Restored> {
  return restoreBackup(options);
}

/** Leaves nothing in the data file of a folder that no server uses but what it holds. Throws AppError where there is no room. */
export function compactStorage(folder: string): void {
  compact(folder);
}
