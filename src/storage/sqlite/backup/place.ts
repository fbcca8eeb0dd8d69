import type { Stats } from "node:fs";
import { existsSync, readdirSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { endsAsFolder } from "../../../core/kernel/files/paths.ts";
import type { BackupPlace } from "../../../core/ports/keeping/backups.ts";
import type { BackupRequest } from "../../../core/schema/keeping/backup.ts";
import { asStorageFault } from "../engine/faults.ts";
import { BACKUP_END } from "./file-format.ts";

/**
 * Where a backup goes: into a folder where one is there, is meant by a separator at its end, or is to keep so many; else into
 * a file of that name. Throws AppError where a file is in the way.
 */
export function placeOf({ destination, keep }: BackupRequest, folder: string, clock: Clock): BackupPlace {
  if (destination !== undefined && !isAbsolute(destination))
    throw new AppError("BAD_REQUEST", `The destination must be an absolute path, not '${destination}'.`);
  const path = destination === undefined ? folder : resolve(destination);
  const isFolderMeant = destination === undefined || keep !== undefined || endsAsFolder(destination);
  try {
    const found = foundAt(path);
    if (found?.isDirectory() || isFolderMeant) return placeIn(path, clock);
    if (found) throw new AppError("CONFLICT", `${path} exists already. Name another file, or a folder.`);
    return { file: path, made: "file" };
  } catch (error) {
    throw asBackupFault(path, error);
  }
}

/** A file in a folder that is named after this second. */
function placeIn(folder: string, clock: Clock): BackupPlace {
  const made = isFolder(folder) ? null : "folder";
  const name = `cairn-${toTimestamp(clock.now()).slice(0, 19).replaceAll(":", "-")}`;
  let file = join(folder, `${name}${BACKUP_END}`);
  for (let i = 2; existsSync(file); i++) file = join(folder, `${name}-${i}${BACKUP_END}`);
  return { file, made };
}

/** The names in a folder; none where nothing is there. Throws AppError where it is a file, or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return isFolder(folder) ? readdirSync(folder) : [];
  } catch (error) {
    throw asReadingFault(folder, error);
  }
}

/** False where nothing is there. Throws CONFLICT where it is something else. */
function isFolder(path: string): boolean {
  const found = foundAt(path);
  if (!found || found.isDirectory()) return found !== undefined;
  throw new AppError(
    "CONFLICT",
    `${path} is a file, and backups go into a folder of that name. Move the file away, or name another folder.`,
  );
}

const foundAt = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

const NO_PLACE = {
  ENOTDIR: "a part of this path is a file",
  EEXIST: "a part of this path is a file",
  ELOOP: "it is a link that leads back to itself",
  ENAMETOOLONG: "that name is too long",
};
const UNREADABLE: Readonly<Record<string, string>> = {
  ...NO_PLACE,
  EACCES: "this user may not read there",
  EPERM: "this user may not read there",
  EIO: "its disk gives errors",
};

/** What a file system or SQLite says of the place that a backup goes to. */
const FULL =
  "the disk is full. While it is written it takes room for a second data file: beside it, or in the data folder where others may change what lies beside it";
const UNWRITABLE: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: "the quota of the disk is used up",
  SQLITE_FULL: FULL,
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "that file system is read-only",
  ...NO_PLACE,
};

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** A failure at the place of a backup as UNAVAILABLE with its cause; every other error as storage says it. */
export function asBackupFault(file: string, error: unknown): unknown {
  const fault = UNWRITABLE[codeOf(error)];
  if (fault === undefined) return asStorageFault(error);
  return new AppError("UNAVAILABLE", `${file} was not written: ${fault}. Choose another place.`, undefined, {
    cause: error,
  });
}

/** The same where backups are only looked for: nothing was to be written. */
export function asReadingFault(folder: string, error: unknown): unknown {
  const fault = UNREADABLE[codeOf(error)];
  if (fault === undefined) return asStorageFault(error);
  return new AppError(
    "UNAVAILABLE",
    `${folder} cannot be read: ${fault}. So it is not known which backups and copies lie there. Let it be read, then ask again.`,
    undefined,
    { cause: error },
  );
}
