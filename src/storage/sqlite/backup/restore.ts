import type { Database } from "bun:sqlite";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import { PRIVATE_FOLDER } from "../../../core/kernel/files/private-files.ts";
import { silentLogger } from "../../../core/kernel/log.ts";
import type { BackupManifest, Brought } from "../../../core/schema/keeping/backup.ts";
import { forgetDamage } from "../engine/damage-file.ts";
import { asStorageFault } from "../engine/faults.ts";
import { DATA_FILE, LOG_FILES, makeFolder } from "../engine/folder-files.ts";
import { lockFolder } from "../engine/folder-lock.ts";
import { openFile } from "../engine/open-file.ts";
import { interruptedRestore, markRestoring, unmarkRestoring } from "../engine/restoring-file.ts";
import { loadableExtension } from "../engine/vector-extension.ts";
import { migrations } from "../migrations/all.ts";
import { foreignParts, sayForeign } from "../migrations/foreign-parts.ts";
import { userVersion } from "../migrations/migrate.ts";
import { codeStoreOf } from "../vectors/code-tables.ts";
import { countBrought } from "./count-brought.ts";
import { countRows } from "./count-rows.ts";
import { areTreesSound } from "./sound-trees.ts";
import { altered, unpackBackup } from "./unpack.ts";

export interface RestoreOptions {
  readonly file: string;
  /** The data folder to restore into; made where there is none. */
  readonly folder: string;
  /** A word for the time, after which what lay in the folder is named. */
  readonly stamp: string;
  /** Where native libraries may be unpacked. */
  readonly cacheDir: string;
}

/** What came of a restore. */
export interface Restored {
  readonly manifest: BackupManifest;
  readonly brought: Brought;
  /** Folder that keeps what was there before; null where there was nothing. */
  readonly kept: string | null;
}

const UNPACKED = `${DATA_FILE}.restored`;

/**
 * Puts a backup into a data folder that no server uses, and keeps what was there in a folder within it. Everything is unpacked,
 * compared with the manifest and opened first. Interrupted, it leaves what was there, or a mark that lets no Cairn open the folder
 * until the restore is done again. Throws AppError.
 */
export async function restoreBackup({ file, folder, stamp, cacheDir }: RestoreOptions): Promise<Restored> {
  makeFolder(folder);
  const { release: unlock } = lockFolder(folder);
  const unpacked = join(folder, UNPACKED);
  try {
    const manifest = await unpackBackup(file, unpacked);
    const brought = requireWhole(unpacked, { file, manifest, cacheDir });
    return { manifest, brought, kept: putInPlace(folder, unpacked, stamp) };
  } catch (error) {
    rmSync(unpacked, { force: true });
    throw asStorageFault(error);
  } finally {
    unlock();
  }
}

interface Unpacked extends Pick<RestoreOptions, "file" | "cacheDir"> {
  readonly manifest: BackupManifest;
}

/** Throws BAD_REQUEST where an unpacked file is not what Cairn wrote; returns what it brings that is obeyed. */
function requireWhole(unpacked: string, { file, manifest, cacheDir }: Unpacked): Brought {
  // How many dimensions vectors have changes no step's number.
  const shape = migrations({ dimensions: 1 }, undefined, codeStoreOf({ extension: null })).length;
  if (manifest.shape > shape)
    throw new AppError(
      "BAD_REQUEST",
      `${file} was written by Cairn ${manifest.release} (shape ${manifest.shape}), which is newer than this one (it knows ${shape}). Restore it with that release, or a later one.`,
    );
  const db = openFile(unpacked, { readonly: true });
  try {
    db.exec("pragma cell_size_check = on");
    if (userVersion(db) !== manifest.shape) throw disagreeing(file);
    // First: of a table that is really a view, or leads back into itself, rows would be counted for ever.
    requireOurs(db, file, cacheDir);
    if (!areTreesSound(db)) throw altered(file);
    const counts = countRows(db);
    if (Object.entries(manifest.counts).some(([table, rows]) => counts[table] !== rows)) throw disagreeing(file);
    return countBrought(db);
  } catch (error) {
    throw isUnreadable(error) ? altered(file, error) : error;
  } finally {
    db.close();
  }
}

const disagreeing = (file: string): AppError =>
  new AppError("BAD_REQUEST", `${file} was altered: its manifest and its data file do not agree. Take another backup.`);

/** Throws BAD_REQUEST where a file has more, or other, than what Cairn makes of one of its shape. */
function requireOurs(db: Database, file: string, cacheDir: string): void {
  const foreign = foreignParts(db, () => loadableExtension(cacheDir, silentLogger));
  if (foreign.length > 0) throw new AppError("BAD_REQUEST", `${sayForeign(file, foreign)} Take another backup.`);
}

const UNREADABLE: ReadonlySet<string> = new Set(["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR"]);

const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && "code" in error && UNREADABLE.has(/^SQLITE_[A-Z]+/.exec(String(error.code))?.[0] ?? "");

/** Moves what lies in the folder aside and the unpacked file into its place; returns where the former is kept. */
function putInPlace(folder: string, unpacked: string, stamp: string): string | null {
  const present = [DATA_FILE, ...LOG_FILES].filter((name) => existsSync(join(folder, name)));
  // One that was interrupted has moved some of it already.
  const kept = interruptedRestore(folder) ?? (present.length > 0 ? join(folder, `before-restore-${stamp}`) : null);
  if (kept) mkdirSync(kept, { recursive: true, mode: PRIVATE_FOLDER });
  markRestoring(folder, kept);
  for (const name of present) if (kept) renameSync(join(folder, name), join(kept, name));
  renameSync(unpacked, join(folder, DATA_FILE));
  forgetDamage(folder);
  unmarkRestoring(folder);
  return kept;
}
