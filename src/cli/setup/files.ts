import type { Stats } from "node:fs";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SetupError, Unreadable } from "./error.ts";

/** What is to become of one file. */
export interface Change {
  readonly file: string;
  /** Null for a file that is not there. */
  readonly before: string | null;
  /** Null for a file that is to go. */
  readonly after: string | null;
  /** Backups that hold nothing but this file as it will be again, with or without what was ours. */
  readonly spent: readonly string[];
}

/**
 * The text of a file, byte by byte; null when there is none. Throws Unreadable for what is no text in UTF-8, and for what
 * is no file: to read from a pipe would wait for ever.
 */
export function readText(file: string): string | null {
  const found = statOf(file);
  if (found === null) return null;
  if (!found.isFile())
    throw new Unreadable(`it is no file but ${found.isDirectory() ? "a folder" : "a device or a pipe"}`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw new Unreadable("it is no text in UTF-8");
    throw error;
  }
}

/** Null where there is nothing, as below a file that stands where a folder belongs. */
function statOf(file: string): Stats | null {
  try {
    return statSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
}

export interface Backup {
  readonly path: string;
  readonly text: string;
}

const BACKUP = ".cairn-backup-";

/** The backups of a file, the newest first. */
export function backupsOf(file: string): Backup[] {
  const folder = dirname(file);
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith(basename(file) + BACKUP))
    : [];
  return names
    .sort()
    .reverse()
    .flatMap((name) => {
      const path = join(folder, name);
      const text = readText(path);
      return text === null ? [] : [{ path, text }];
    });
}

/** Where and how changes are made. */
export interface Ground {
  /** `YYYYMMDD-HHMMSS`, for the names of backups. */
  readonly stamp: string;
  /** Folders below this one that a change leaves empty go, too. */
  readonly root: string;
  /** The rights of new files. */
  readonly mode: number;
}

/** A change that was made. */
export interface Applied {
  /** Path of the backup; null where none was kept. */
  readonly backup: string | null;
  /** Puts things back as they were. */
  readonly undo: () => void;
  /** Removes what is needed no more once all that belongs together was done. */
  readonly settle: () => void;
}

/** Makes one change, whole or not at all. Throws SetupError, and what the file system says. */
export function applyChange({ file, before, after, spent }: Change, { stamp, root, mode }: Ground): Applied {
  if (readText(file) !== before)
    throw new SetupError(`${file} was changed by another program just now. Run the command again.`);
  const target = behindLinks(file);
  if (before === null) {
    const undo = after === null ? () => {} : writeWhole(target, after, { mode });
    return { backup: null, undo, settle: () => {} };
  }
  const rights = { mode: statSync(target).mode & 0o7777, exactly: true };
  const restore = () => void writeWhole(target, before, rights);
  const settle = () => {
    for (const path of spent) rmSync(path, { force: true });
    if (after === null) removeEmpty(dirname(target), root);
  };
  if (after === null) {
    rmSync(target);
    return { backup: null, undo: restore, settle };
  }
  const backup = spent.length > 0 ? null : keepBackup(file, target, stamp);
  const dropBackup = () => backup !== null && rmSync(backup, { force: true });
  try {
    writeWhole(target, after, rights);
  } catch (error) {
    dropBackup();
    throw error;
  }
  const undo = () => {
    restore();
    dropBackup();
  };
  return { backup, undo, settle };
}

/** Where a link leads, be there something or not, so that it stays a link. A circle of links was refused on reading. */
function behindLinks(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isSymbolicLink() ? behindLinks(resolve(dirname(file), readlinkSync(file))) : file;
}

function keepBackup(file: string, target: string, stamp: string): string {
  const bytes = readFileSync(target);
  const mode = statSync(target).mode & 0o777;
  for (let count = 1; ; count++) {
    const path = `${file}${BACKUP}${stamp}${count === 1 ? "" : `-${count}`}`;
    if (existsSync(path)) continue;
    try {
      writeFileSync(path, bytes, { mode, flag: "wx" });
    } catch (error) {
      // Half a backup would be taken for the text of before.
      rmSync(path, { force: true });
      throw error;
    }
    return path;
  }
}

/** Readers see the old file until the new one is complete, and on disk. Returns what takes a new file back. */
function writeWhole(
  path: string,
  text: string,
  { mode, exactly = false }: { mode: number; exactly?: boolean },
): () => void {
  const folder = dirname(path);
  const made = mkdirSync(folder, { recursive: true });
  const draft = join(folder, `.${basename(path)}.${process.pid}.tmp`);
  const removeFolders = () => made !== undefined && removeEmpty(folder, dirname(made));
  try {
    const descriptor = openSync(draft, "wx", mode);
    try {
      writeFileSync(descriptor, text);
      // What is there keeps its rights, whatever those of new files are.
      if (exactly) chmodSync(draft, mode);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    removeFolders();
    throw error;
  }
  return () => {
    rmSync(path);
    removeFolders();
  };
}

/** Removes a folder if it is empty, then the one it is in, up to the root, which stays. */
function removeEmpty(folder: string, root: string): void {
  if (!folder.startsWith(`${root}/`) && !folder.startsWith(`${root}\\`)) return;
  try {
    // Fails at a link.
    rmdirSync(folder);
  } catch {
    // It holds something, is gone already, or lies where nothing may be removed.
    return;
  }
  removeEmpty(dirname(folder), root);
}
