import type { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../../core/kernel/files/private-files.ts";
import { BACKUPS_FOLDER } from "./folder-files.ts";

/**
 * Copies the data file of a folder as it is before its shape changes, into `backups/before-upgrade-from-SHAPE.db`, and returns the
 * path; a copy of that shape that is there already is the one. Throws what SQLite throws where there is no room: then nothing
 * has been changed.
 */
export function keepBeforeUpgrade(folder: string, db: Database, shape: number): string {
  const kept = join(folder, BACKUPS_FOLDER, `before-upgrade-from-${shape}.db`);
  if (existsSync(kept)) return kept;
  const half = `${kept}.half`;
  mkdirSync(join(folder, BACKUPS_FOLDER), { recursive: true, mode: PRIVATE_FOLDER });
  rmSync(half, { force: true });
  try {
    db.query("vacuum into ?").run(half);
    chmodSync(half, PRIVATE_FILE);
    renameSync(half, kept);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
  return kept;
}
