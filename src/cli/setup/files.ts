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

/** The text of a file, byte by byte; null when there is none. Throws Unreadable for what is no text in UTF-8. */
export function readText(file: string): string | null {
  if (!existsSync(file)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw new Unreadable("it is no text in UTF-8");
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

/** Makes one change, whole or not at all. Returns the path of the backup, if one was kept. Throws SetupError. */
export function applyChange({ file, before, after, spent }: Change, { stamp, root, mode }: Ground): string | null {
  if (readText(file) !== before)
    throw new SetupError(`${file} was changed by another program just now. Run the command again.`);
  const target = behindLinks(file);
  const backup = before === null || spent.length > 0 || after === null ? null : keepBackup(file, target, stamp);
  if (after === null) {
    rmSync(file);
    removeEmpty(dirname(file), root);
  } else {
    writeWhole(target, after, before === null ? { mode } : { mode: statSync(target).mode & 0o7777, exactly: true });
  }
  for (const path of spent) rmSync(path, { force: true });
  return backup;
}

/** Where a link leads, be there something or not, so that it stays a link. */
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
    writeFileSync(path, bytes, { mode, flag: "wx" });
    return path;
  }
}

/** Readers see the old file until the new one is complete, and on disk. */
function writeWhole(path: string, text: string, { mode, exactly = false }: { mode: number; exactly?: boolean }): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
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
    throw error;
  }
}

function removeEmpty(folder: string, root: string): void {
  if (!folder.startsWith(`${root}/`) && !folder.startsWith(`${root}\\`)) return;
  if (lstatSync(folder).isSymbolicLink() || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmpty(dirname(folder), root);
}
