import { join } from "node:path";
import { asStorageFault } from "../engine/faults.ts";
import { DATA_FILE, hasData } from "../engine/folder-files.ts";
import { lockFolder } from "../engine/folder-lock.ts";
import { GIVES_PAGES_BACK } from "../engine/free-pages.ts";
import { openFile } from "../engine/open-file.ts";

/**
 * Writes the data file again from what it holds, so that no page keeps what was deleted before deletions were overwritten,
 * and free pages can be given back from then on.
 * Takes room for a second file. Throws AppError UNAVAILABLE when there is none, or when somebody uses the folder.
 */
export function compact(folder: string): void {
  if (!hasData(folder)) return;
  const { release: unlock } = lockFolder(folder);
  try {
    const db = openFile(join(folder, DATA_FILE), { readwrite: true });
    try {
      db.exec(GIVES_PAGES_BACK);
      db.exec("vacuum; pragma wal_checkpoint(truncate)");
    } finally {
      db.close();
    }
  } catch (error) {
    throw asStorageFault(error);
  } finally {
    unlock();
  }
}
