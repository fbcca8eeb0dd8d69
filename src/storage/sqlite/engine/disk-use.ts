import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { DiskUse } from "../../../core/ports/storage.ts";
import { asFolderFault, DATA_FILE, LOG_FILES } from "./folder-files.ts";

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
