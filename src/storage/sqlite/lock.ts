import { Database } from "bun:sqlite";
import { join } from "node:path";
import { AppError } from "../../kernel/errors.ts";

const LOCK_FILE = "cairn.lock";

/**
 * Makes this process the only owner of a data folder. The lock is SQLite's own exclusive file lock, which the
 * operating system releases when the process dies, however it dies. Returns the release.
 */
export function lockFolder(folder: string): () => void {
  const lock = new Database(join(folder, LOCK_FILE), { create: true, readwrite: true });
  try {
    lock.exec("pragma busy_timeout = 0");
    lock.exec("begin exclusive");
  } catch (cause) {
    lock.close();
    if (!(cause instanceof Error && "code" in cause && cause.code === "SQLITE_BUSY")) throw cause;
    const message = `Another Cairn is already using ${folder}. Stop it, or choose another folder with --data.`;
    throw new AppError("UNAVAILABLE", message, { folder }, { cause });
  }
  return () => lock.close();
}
