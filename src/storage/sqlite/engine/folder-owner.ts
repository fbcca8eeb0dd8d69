import type { Database } from "bun:sqlite";
import { AppError } from "../../../core/kernel/errors.ts";
import { openFile } from "./open-file.ts";

/** The lock under which the file was last written; null when that is not known. */
export function lockOfOwner(db: Database): string | null {
  const table = db.query("select 1 from sqlite_master where name = 'folder_owner'").get();
  if (!table) return null;
  return db.query<{ lock_inode: string }, []>("select lock_inode from folder_owner").get()?.lock_inode ?? null;
}

/** Writes down who writes from now on: every other process that still has the file open is refused by its next write. */
export function takeOwnership(db: Database, token: string, lockInode: string): void {
  db.query("insert or replace into folder_owner (id, token, lock_inode) values (1, ?, ?)").run(token, lockInode);
}

/** Inside a transaction that writes: throws when another process has become the owner. */
export function requireOwnership(db: Database, token: string): void {
  if (db.query<{ token: string }, []>("select token from folder_owner").get()?.token === token) return;
  throw new AppError(
    "UNAVAILABLE",
    "Another Cairn has taken over the data folder: nothing was written. Stop one of the two, then restart.",
  );
}

/** Whether no other process has the data file open. Called while this one has not either. */
export function isUnused(file: string): boolean {
  const db = openFile(file, { readwrite: true });
  try {
    db.exec("pragma busy_timeout = 0");
    // Asks for the file alone, which whoever has it open in any way stands against.
    db.exec("pragma locking_mode = exclusive");
    db.exec("begin immediate; rollback");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return false;
    throw error;
  } finally {
    db.close();
  }
}
