import type { Database } from "bun:sqlite";
import { constants } from "bun:sqlite";
import { statSync } from "node:fs";
import { openFile } from "./open-file.ts";

/**
 * Beside its log a file is opened as always. Where the index of the log can be neither found nor made, and the log is
 * empty, the file holds everything, and is read as one that nobody changes.
 */
export function openReadable(file: string): Database {
  try {
    return answering(openFile(file, { readonly: true }));
  } catch (error) {
    if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) throw error;
    const { href } = Bun.pathToFileURL(file);
    const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
    return answering(openFile(`${href}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI));
  }
}

/** SQLite looks at a file only when it is first read. */
function answering(db: Database): Database {
  try {
    db.query("select count(*) from sqlite_master").get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
