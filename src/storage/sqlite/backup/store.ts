import { statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { BackupStore, WrittenBackup } from "../../../core/ports/keeping/backups.ts";
import type { BackupState } from "../../../core/schema/keeping/backup.ts";
import { BACKUPS_FOLDER, DATA_FILE } from "../engine/folder-files.ts";
import { backupsIn } from "./list.ts";
import { asBackupFault, asReadingFault, namesIn, placeOf } from "./place.ts";
import type { BackupReply } from "./worker.ts";
import { backupWorkerUrl } from "./worker-url.ts";
import type { WriteOrder } from "./write-backup.ts";

/** Writes backups of a data folder, each on a thread of its own; of a store in memory there are none. */
export function sqliteBackupStore(data: string | null, clock: Clock, extension: string | null): BackupStore {
  const folder = data === null ? null : join(data, BACKUPS_FOLDER);
  return {
    folder,
    placeOf: (request) => {
      if (folder === null)
        throw new AppError("CONFLICT", "This server keeps everything in memory: there is no data file to back up.");
      return placeOf(request, folder, clock);
    },
    write: async ({ file, keep, release }, tell) => {
      const source = join(data ?? "", DATA_FILE);
      return onThread({ source, destination: file, keep, release, extension }, tell).catch((error: unknown) => {
        throw asBackupFault(file, error);
      });
    },
    list: async () => listed(folder),
    copies: async () => {
      try {
        return data === null ? [] : copiesIn(data);
      } catch (error) {
        throw asReadingFault(folder ?? "", error);
      }
    },
  };
}

const COPIES = ["before-restore-", `${DATA_FILE}.damaged-`];
const COPIES_AMONG_BACKUPS = ["before-upgrade-"];

/** What an upgrade, a restore and a rebuild from damaged pages kept in a data folder, and a file in place of its backups. */
function copiesIn(data: string): string[] {
  const folder = join(data, BACKUPS_FOLDER);
  const named = (at: string, names: readonly string[], beginnings: readonly string[]): string[] =>
    names
      .filter((name) => beginnings.some((beginning) => name.startsWith(beginning)))
      .map((name) => join(at, name))
      .sort();
  const isFile = statSync(folder, { throwIfNoEntry: false })?.isFile();
  const among = isFile ? [folder] : named(folder, namesIn(folder), COPIES_AMONG_BACKUPS);
  return [...among, ...named(data, namesIn(data), COPIES)];
}

function listed(folder: string | null): Pick<BackupState, "backups" | "fault"> {
  try {
    if (folder === null) return { backups: [], fault: null };
    return { backups: backupsIn({ path: folder, at: (name) => join(folder, name) }, namesIn(folder)), fault: null };
  } catch (error) {
    if (error instanceof AppError) return { backups: [], fault: error.message };
    throw error;
  }
}

function onThread(order: WriteOrder, tell: (progress: MaintenanceProgress) => void): Promise<WrittenBackup> {
  const worker = new Worker(backupWorkerUrl);
  const { promise, resolve, reject } = Promise.withResolvers<WrittenBackup>();
  worker.onmessage = ({ data }: MessageEvent<BackupReply>) => {
    if ("progress" in data) return tell(data.progress);
    if ("written" in data) return resolve(data.written);
    if (data.code === "UNAVAILABLE") return reject(new AppError(data.code, data.failed));
    reject(Object.assign(new Error(data.failed), data.code === null ? {} : { code: data.code }));
  };
  worker.onerror = ({ message }) => reject(new Error(`The backup failed: ${message}`));
  worker.postMessage(order);
  return promise.finally(() => worker.terminate());
}
