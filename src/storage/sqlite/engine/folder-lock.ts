import { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import { makePrivateFile } from "../../../core/kernel/files/private-files.ts";

export const LOCK_FILE = "cairn.lock";

export interface FolderLock {
  /** Which file is locked: the one of that name may since be another. */
  readonly inode: string;
  /** Whether the file of that name is still the one that is locked. */
  isInPlace(): boolean;
  release(): void;
}

/**
 * Makes this process the only owner of a data folder. The lock is SQLite's own exclusive file lock, which the
 * operating system releases when the process dies, however it dies.
 */
export function lockFolder(folder: string): FolderLock {
  try {
    makePrivateFile(join(folder, LOCK_FILE));
  } catch (cause) {
    throw isNoPlaceForFiles(folder, cause) ? noPlace(folder, cause) : cause;
  }
  return held(folder, { readwrite: true }, "begin exclusive");
}

/**
 * Keeps whoever wants to write out of a folder that this process only reads; others may read it too. Null where there is
 * no file to lock.
 */
export function shareFolder(folder: string): FolderLock | null {
  if (!existsSync(join(folder, LOCK_FILE))) return null;
  return held(folder, { readonly: true }, "begin; select count(*) from sqlite_master");
}

/** A folder that is there and yet cannot have a new file, as those of /proc are. */
const isNoPlaceForFiles = (folder: string, cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ENOENT" && existsSync(folder);

const noPlace = (folder: string, cause: unknown): AppError =>
  new AppError(
    "UNAVAILABLE",
    `No file can be made in ${folder}. Choose another folder with --data.`,
    { folder },
    { cause },
  );

function held(folder: string, mode: { readonly: true } | { readwrite: true }, taking: string): FolderLock {
  const lock = new Database(join(folder, LOCK_FILE), mode);
  try {
    lock.exec("pragma busy_timeout = 0");
    lock.exec(taking);
  } catch (cause) {
    lock.close();
    if (cause instanceof Error && "code" in cause && cause.code === "SQLITE_BUSY") throw inUse(folder, cause);
    throw cause;
  }
  const path = join(folder, LOCK_FILE);
  const inode = inodeOf(path) ?? "";
  return { inode, isInPlace: () => inodeOf(path) === inode, release: () => lock.close() };
}

/** The refusal of a folder that another process owns. */
export const inUse = (folder: string, cause?: unknown): AppError =>
  new AppError(
    "UNAVAILABLE",
    `Another Cairn is already using ${folder}. Stop it, or choose another folder with --data.`,
    { folder, locked: join(folder, LOCK_FILE) },
    { cause },
  );

/** Which file has this name now; null for none. */
export function inodeOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
