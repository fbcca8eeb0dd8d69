import type { Stats } from "node:fs";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { BackupStore } from "../../../core/ports/keeping/backups.ts";
import type { Backup } from "../../../core/schema/keeping/backup.ts";
import { asStorageFault } from "../engine/faults.ts";
import { BACKUPS_FOLDER, DATA_FILE } from "../engine/folder-files.ts";
import { BACKUP_END, readBackup } from "./file-format.ts";
import type { BackupReply } from "./worker.ts";
import { backupWorkerUrl } from "./worker-url.ts";
import type { WriteOrder } from "./write-backup.ts";

/** Writes backups of a data folder, each on a thread of its own; of a store in memory there are none. */
export function sqliteBackupStore(data: string | null, clock: Clock): BackupStore {
  const folder = data === null ? null : join(data, BACKUPS_FOLDER);
  return {
    folder,
    fileAt: (destination) => {
      if (folder === null)
        throw new AppError("CONFLICT", "This server keeps everything in memory: there is no data file to back up.");
      return destination === null ? fileIn(folder, clock) : fileAt(destination, clock);
    },
    write: async ({ file, keep, release }, tell) => {
      const source = join(data ?? "", DATA_FILE);
      const backup = await onThread({ source, destination: file, release }, tell).catch((error: unknown) => {
        throw asBackupFault(file, error);
      });
      for (const { file: old } of keep === null ? [] : backupsIn(dirname(file)).slice(keep)) rmSync(old);
      return backup;
    },
    list: async () => (folder === null ? [] : backupsIn(folder)),
    copies: async () => (data === null ? [] : copiesIn(data)),
  };
}

const COPIES = ["before-restore-", `${DATA_FILE}.damaged-`];
const COPIES_AMONG_BACKUPS = ["before-upgrade-"];

/** What an upgrade, a restore and a rebuild from damaged pages kept in a data folder. */
function copiesIn(data: string): string[] {
  const named = (folder: string, beginnings: readonly string[]): string[] => {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const kept = names.filter((name) => beginnings.some((beginning) => name.startsWith(beginning)));
    return kept.map((name) => join(folder, name)).sort();
  };
  return [...named(join(data, BACKUPS_FOLDER), COPIES_AMONG_BACKUPS), ...named(data, COPIES)];
}

/** The backups that lie in a folder, newest first; files that are none are passed over. */
export function backupsIn(folder: string): Backup[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).filter((name) => name.endsWith(BACKUP_END));
  const backups = found.flatMap((name) => {
    try {
      const { file, bytes, manifest } = readBackup(join(folder, name));
      return [{ file, bytes, manifest }];
    } catch {
      return [];
    }
  });
  return backups.toSorted((a, b) => b.manifest.created_at.localeCompare(a.manifest.created_at));
}

function fileAt(destination: string, clock: Clock): string {
  if (!isAbsolute(destination))
    throw new AppError("BAD_REQUEST", `The destination must be an absolute path, not '${destination}'.`);
  const found = foundAt(destination);
  if (found?.isDirectory()) return fileIn(destination, clock);
  if (found) throw new AppError("CONFLICT", `${destination} exists already. Name another file, or a folder.`);
  return destination;
}

function foundAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw asBackupFault(path, error);
  }
}

/** A file in a folder that is named after this second. */
function fileIn(folder: string, clock: Clock): string {
  const name = `cairn-${toTimestamp(clock.now()).slice(0, 19).replaceAll(":", "-")}`;
  let file = join(folder, `${name}${BACKUP_END}`);
  for (let i = 2; existsSync(file); i++) file = join(folder, `${name}-${i}${BACKUP_END}`);
  return file;
}

function onThread(order: WriteOrder, tell: (progress: MaintenanceProgress) => void): Promise<Backup> {
  const worker = new Worker(backupWorkerUrl);
  const { promise, resolve, reject } = Promise.withResolvers<Backup>();
  worker.onmessage = ({ data }: MessageEvent<BackupReply>) => {
    if ("progress" in data) return tell(data.progress);
    if ("written" in data) return resolve(data.written);
    reject(Object.assign(new Error(data.failed), data.code === null ? {} : { code: data.code }));
  };
  worker.onerror = ({ message }) => reject(new Error(`The backup failed: ${message}`));
  worker.postMessage(order);
  return promise.finally(() => worker.terminate());
}

/** What a file system or SQLite says of the place that a backup goes to. */
const FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full. It takes room for a second data file while it is written",
  EDQUOT: "the quota of the disk is used up",
  SQLITE_FULL: "the disk is full. It takes room for a second data file while it is written",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "that file system is read-only",
  ENOTDIR: "a part of this path is a file",
  EEXIST: "a part of this path is a file",
};

function asBackupFault(file: string, error: unknown): unknown {
  const fault = FAULTS[error instanceof Error && "code" in error ? String(error.code) : ""];
  if (fault === undefined) return asStorageFault(error);
  return new AppError("UNAVAILABLE", `${file} was not written: ${fault}. Choose another place.`, undefined, {
    cause: error,
  });
}
