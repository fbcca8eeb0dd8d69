import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { dropBackup, keepBackup } from "./backups.ts";
import { SetupError } from "./error.ts";
import type { Ground } from "./ground.ts";
import { makeFolderOf, modeIn, requireWithin } from "./ground.ts";
import { readText } from "./read-text.ts";

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

/** The ground that changes are made on, and when, as `YYYYMMDD-HHMMSS`, for the names of backups. */
export interface Occasion {
  readonly ground: Ground;
  readonly stamp: string;
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

/** Makes one change, whole or not at all. Throws SetupError, Unreadable, and what the file system says. */
export function applyChange({ file, before, after, spent }: Change, { ground, stamp }: Occasion): Applied {
  if (readText(file, ground) !== before)
    throw new SetupError(`${file} was changed by another program just now. Run the command again.`);
  const target = ground.kind === "own" ? behindLinks(file) : file;
  if (before === null) {
    const undo = after === null ? () => {} : writeWhole(target, after, { ground, mode: modeIn(ground) });
    return { backup: null, undo, settle: () => {} };
  }
  const rights = { ground, mode: statSync(target).mode & 0o7777, exactly: true };
  const restore = () => void writeWhole(target, before, rights);
  const settle = () => {
    for (const path of spent) dropBackup(path, ground);
    if (after === null) removeEmpty(dirname(target), ground.root);
  };
  if (after === null) {
    rmSync(target);
    return { backup: null, undo: restore, settle };
  }
  const backup = spent.length > 0 ? null : keepBackup({ file, text: before, mode: rights.mode & 0o777, stamp }, ground);
  const takeBack = () => backup !== null && dropBackup(backup, ground);
  try {
    writeWhole(target, after, rights);
  } catch (error) {
    takeBack();
    throw error;
  }
  const undo = () => {
    restore();
    takeBack();
  };
  return { backup, undo, settle };
}

/** Where a link leads, be there something or not, so that it stays a link. A circle of links was refused on reading. */
function behindLinks(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isSymbolicLink() ? behindLinks(resolve(dirname(file), readlinkSync(file))) : file;
}

/** Readers see the old file until the new one is complete, and on disk. Returns what takes a new file back. */
function writeWhole(
  path: string,
  text: string,
  { ground, mode, exactly = false }: { ground: Ground; mode: number; exactly?: boolean },
): () => void {
  const folder = dirname(path);
  const made = makeFolderOf(path, ground);
  const draft = join(folder, `.${basename(path)}.${crypto.randomUUID()}.tmp`);
  const removeFolders = () => made !== null && removeEmpty(folder, dirname(made));
  try {
    const descriptor = openSync(draft, "wx", mode);
    try {
      writeFileSync(descriptor, text);
      // What is there keeps its rights, whatever those of new files are.
      if (exactly) fchmodSync(descriptor, mode);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    requireWithin(path, ground);
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
