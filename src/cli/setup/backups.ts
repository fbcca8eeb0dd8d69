import { existsSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeOwnFolder } from "../../core/kernel/files/own-folder.ts";
import { changeOwnFolder } from "../../core/kernel/files/own-modes.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../core/kernel/files/private-files.ts";
import { sha256 } from "../../core/kernel/hash.ts";
import type { Ground, Place } from "./ground.ts";
import { readText } from "./read-text.ts";

export interface Backup {
  readonly path: string;
  readonly text: string;
}

const MARK = ".cairn-backup-";
/** The newest ones that are looked at: whoever writes into a repository may put any number beside its files. */
const READ_MAX = 100;

/** The backups of a file, the newest first; those in Cairn's own folder before those beside it, as older versions made them. */
export function backupsOf(file: string, ground: Ground): Backup[] {
  const beside = backupsIn(dirname(file), basename(file), ground);
  if (ground.kind === "own") return beside;
  return [...backupsIn(ground.backups, nameIn(file), { kind: "own", root: ground.backups }), ...beside];
}

function backupsIn(folder: string, name: string, place: Place): Backup[] {
  const names = namesIn(folder).filter((one) => one.startsWith(name + MARK));
  return names
    .sort()
    .reverse()
    .slice(0, READ_MAX)
    .flatMap((one) => {
      const path = join(folder, one);
      const text = textOf(path, place);
      return text === null ? [] : [{ path, text }];
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What cannot be read is no backup. */
function textOf(path: string, place: Place): string | null {
  try {
    return readText(path, place);
  } catch {
    return null;
  }
}

/** One folder holds the backups of all repositories, so that a name tells which file it is of. */
const nameIn = (file: string): string => `${basename(file)}-${sha256(file).slice(0, 16)}`;

interface Kept {
  readonly file: string;
  readonly text: string;
  /** The rights of a backup beside its file. */
  readonly mode: number;
  readonly stamp: string;
}

/** Keeps what a file holds, for its owner alone where it is of a repository. Returns the path of the backup. */
export function keepBackup({ file, text, mode, stamp }: Kept, ground: Ground): string {
  const isOwn = ground.kind === "own";
  if (!isOwn) makePrivate(ground.backups);
  const begin = isOwn ? file : join(ground.backups, nameIn(file));
  for (let count = 1; ; count++) {
    const path = `${begin}${MARK}${stamp}${count === 1 ? "" : `-${count}`}`;
    if (existsSync(path)) continue;
    try {
      writeFileSync(path, text, { mode: isOwn ? mode : PRIVATE_FILE, flag: "wx" });
    } catch (error) {
      // Half a backup would be taken for the text of before.
      rmSync(path, { force: true });
      throw error;
    }
    return path;
  }
}

/** Removes a backup, and Cairn's own folder of them when none is left in it. */
export function dropBackup(path: string, ground: Ground): void {
  rmSync(path, { force: true });
  if (ground.kind === "own" || dirname(path) !== ground.backups) return;
  try {
    rmdirSync(ground.backups);
  } catch {
    // It holds others.
  }
}

function makePrivate(folder: string): void {
  makeOwnFolder(folder);
  changeOwnFolder(folder, () => PRIVATE_FOLDER);
}
