import type { Database } from "bun:sqlite";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { closeOwnFile } from "../../../core/kernel/files/own-modes.ts";
import { makeBackupsFolder } from "./folder-files.ts";

/**
 * Copies the data file of a folder as it is before its shape changes, into `backups/before-upgrade-from-SHAPE.db`, and returns the
 * path; a copy of that shape that is there already is the one. Throws AppError where a file is in place of that folder, and what
 * SQLite throws where there is no room: then nothing has been changed.
 */
export function keepBeforeUpgrade(folder: string, db: Database, shape: number): string {
  const kept = join(makeBackupsFolder(folder), `before-upgrade-from-${shape}.db`);
  if (existsSync(kept)) return kept;
  const half = `${kept}.half`;
  rmSync(half, { force: true });
  try {
    db.query("vacuum into ?").run(half);
    closeOwnFile(half);
    renameSync(half, kept);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
  return kept;
}
