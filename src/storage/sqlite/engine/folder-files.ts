import { Database } from "bun:sqlite";
import { closeSync, existsSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import { makeOwnFolder } from "../../../core/kernel/files/own-folder.ts";
import { closeOwnFile } from "../../../core/kernel/files/own-modes.ts";
import { makePrivateFile, openPrivateFile } from "../../../core/kernel/files/private-files.ts";
import { asStorageFault } from "./faults.ts";
import { LOCK_FILE } from "./folder-lock.ts";
import { GIVES_PAGES_BACK } from "./free-pages.ts";

export const DATA_FILE = "cairn.db";
/** Folder of the backups of a data folder, within it. */
export const BACKUPS_FOLDER = "backups";
/** What SQLite keeps beside the data file while it is open. */
export const LOG_FILES = [`${DATA_FILE}-wal`, `${DATA_FILE}-shm`] as const;

const OURS = [DATA_FILE, ...LOG_FILES, LOCK_FILE, "server.json"];
const PROBE_FILE = ".cairn-probe";
/** The least that a start writes: the index of the log, and a page. */
const PROBE_BYTES = 64 * 1024;

/** What a person would call these. */
const IN_THE_WAY: Readonly<Record<string, string>> = {
  EEXIST: "it is a file",
  ENOTDIR: "a part of this path is a file",
};

/** Makes the folder for its owner alone, or refuses somebody else's; takes files of ours that are there already away from others. */
export function makeFolder(folder: string): void {
  makeOwn(folder, "The data folder", "Choose another with --data.");
  for (const name of OURS) closeOwnFile(join(folder, name));
}

/** Makes the folder of the backups of a data folder. */
export function makeBackupsFolder(folder: string): string {
  const backups = join(folder, BACKUPS_FOLDER);
  makeOwn(backups, "The folder of backups", "Move away what is there, and start again.");
  return backups;
}

function makeOwn(folder: string, what: string, next: string): void {
  try {
    makeOwnFolder(folder);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const code = codeOf(cause);
    const why = IN_THE_WAY[code] ?? code;
    const message = `${what} ${folder} cannot be made${why && ` (${why})`}. ${next}`;
    throw new AppError("UNAVAILABLE", message, { folder }, { cause });
  }
}

/** Null where there is nothing, a part of the path is a file, or it may not be looked at. */
const sizeOf = (path: string): number | null => (existsSync(path) ? statSync(path).size : null);

/** Whether a folder has a data file. */
export const hasData = (folder: string): boolean => (sizeOf(join(folder, DATA_FILE)) ?? 0) > 0;

/**
 * Throws where data was, and is no more: to begin again without a word would make a loss complete. A data file of ours is
 * never empty, since it gets its name only after its first page was written.
 */
export function refuseLostData(folder: string): void {
  const file = join(folder, DATA_FILE);
  const [log] = LOG_FILES;
  const size = sizeOf(file);
  const isLogged = (sizeOf(join(folder, log)) ?? 0) > 0;
  const wasUsed = isLogged || existsSync(join(folder, LOCK_FILE));
  if (size === 0 && wasUsed) throw lost(`${file} is empty, although a Cairn has used this folder`, file);
  if (size === null && isLogged) throw lost(`${file} is gone, and its log ${log} is still there`, join(folder, log));
}

const lost = (seen: string, rest: string): AppError =>
  new AppError(
    "UNAVAILABLE",
    `${seen}: the data was lost or cut off. Restore it from a backup, or remove ${rest} to begin anew.`,
  );

/** Makes the data file where there is none, whole or not at all. Only for whoever holds the lock of the folder. */
export function makeDataFile(folder: string): void {
  if (hasData(folder)) return;
  const draft = join(folder, `${DATA_FILE}.new`);
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${draft}${suffix}`, { force: true });
  makePrivateFile(draft);
  const db = new Database(draft, { readwrite: true });
  // First: once a page is written, the file is of the one kind or the other.
  db.exec(GIVES_PAGES_BACK);
  db.exec("pragma journal_mode = wal");
  db.close();
  renameSync(draft, join(folder, DATA_FILE));
}

/** Why so many bytes cannot be written into the folder; null when they can. */
export function whyNotWritable(folder: string, bytes = PROBE_BYTES): AppError | null {
  const probe = join(folder, PROBE_FILE);
  try {
    const file = openPrivateFile(probe, { empties: true });
    try {
      // A disk that gets full takes a part, and refuses the rest.
      for (let written = 0; written < bytes; ) written += writeSync(file, new Uint8Array(bytes - written));
    } finally {
      closeSync(file);
      rmSync(probe, { force: true });
    }
    return null;
  } catch (cause) {
    return notWritable(folder, cause);
  }
}

const UNKNOWN = ["read_only", "The data folder cannot be written. Make it writable"] as const;
const CAUSES: Readonly<Record<string, readonly [reason: string, message: string]>> = {
  ENOSPC: ["disk_full", "The disk is full: nothing was written. Free some space"],
  EDQUOT: ["disk_full", "The quota of the disk is used up: nothing was written. Free some space"],
  EROFS: ["read_only", "The data folder is on a read-only file system: nothing was written. Make it writable"],
  EACCES: ["read_only", "The data folder is not writable for this user: nothing was written. Make it writable"],
  EPERM: ["read_only", "The data folder is not writable for this user: nothing was written. Make it writable"],
};

function notWritable(folder: string, cause: unknown): AppError {
  const [reason, message] = CAUSES[codeOf(cause)] ?? UNKNOWN;
  const details = { folder, reason };
  return new AppError("UNAVAILABLE", `${message}: Cairn goes on by itself then. Reads go on.`, details, { cause });
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** What a file system or SQLite says of a folder, as UNAVAILABLE with its cause; every other error as it is. */
export const asFolderFault = (folder: string, error: unknown): unknown =>
  codeOf(error) in CAUSES ? notWritable(folder, error) : asStorageFault(error);

const WHILE_READABLE = ["disk_full", "read_only", "sqlite_full", "sqlite_readonly", "sqlite_ioerr", "sqlite_cantopen"];

/** Whether a folder that could not be opened for writing may still be readable. */
export const mayBeReadable = (fault: unknown): fault is AppError =>
  fault instanceof AppError && WHILE_READABLE.some((reason) => reason === fault.details?.reason);
