import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import type { DiskUse } from "../../../core/ports/storage.ts";
import { asFolderFault, DATA_FILE, LOG_FILES, whyNotWritable } from "./folder-files.ts";

const [LOG_FILE] = LOG_FILES;

/** What the files of a data folder take, and what its disk has left. Throws AppError UNAVAILABLE where the disk does not answer. */
export async function diskUseOf(folder: string): Promise<DiskUse> {
  try {
    const [data_bytes, log_bytes, disk] = await Promise.all([
      bytesOf(join(folder, DATA_FILE)),
      bytesOf(join(folder, LOG_FILE)),
      statfs(folder),
    ]);
    return { data_bytes, log_bytes, free_bytes: disk.bavail * disk.bsize };
  } catch (error) {
    throw asFolderFault(folder, error);
  }
}

/** 0 where there is no such file: a log is removed when nobody has the data open. */
async function bytesOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
  return found?.size ?? 0;
}

/** Whether the disk takes what is written, as far as a write was refused for want of it. */
export interface SpaceWatch {
  /** Takes notice of an error: one of the disk is doubted until there is proof that it takes data again. */
  notice(error: unknown): void;
  /** Throws AppError UNAVAILABLE where a write was refused, and there is still no room for one. */
  prove(): void;
}

/** Reasons of a refused write that a full disk may stand behind. */
const OF_SPACE: readonly unknown[] = ["sqlite_full", "sqlite_ioerr", "vector_index"];
/** As much as the largest group of writes takes: a page alone still fits where none of them does. */
const ROOM_BYTES = 4 * 1024 * 1024;

/** Watches over the space of a data folder; of a store in memory nothing is ever doubted. */
export function watchSpace(folder: string | null): SpaceWatch {
  let isDoubted = false;
  return {
    notice: (error) => {
      const reason = error instanceof AppError ? error.details?.reason : undefined;
      if (folder !== null && OF_SPACE.includes(reason)) isDoubted = true;
    },
    prove: () => {
      if (!isDoubted || folder === null) return;
      const why = whyNotWritable(folder, ROOM_BYTES);
      if (why) throw why;
      isDoubted = false;
    },
  };
}
