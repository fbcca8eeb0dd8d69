import type { Stats } from "node:fs";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";

/** Modes of what only its owner may read. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const OTHERS = 0o077;
const [GROUP_WRITES, OTHERS_WRITE] = [0o020, 0o002];
const ROOT = 0;

/** The mode of a folder that others than its owner may enter, read or write, as `0755`; null when none may. */
export function modeOpenToOthers(folder: string): string | null {
  const mode = process.platform === "win32" ? undefined : statSync(folder, { throwIfNoEntry: false })?.mode;
  return mode !== undefined && (mode & OTHERS) !== 0 ? (mode & 0o7777).toString(8).padStart(4, "0") : null;
}

/** Makes an empty file that only its owner may read; one that exists stays as it is. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", PRIVATE_FILE));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** Takes a file away from others than its owner, as far as it is ours to do so. */
export function tightenFile(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & OTHERS) === 0) return;
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch {
    // It belongs to somebody else, or lies on a file system that cannot be changed: then it is not ours to close.
  }
}

/** Whether something on disk is this user's own; root may take up what is anybody's. Users without numbers are not told apart. */
export function isOurs({ uid }: Pick<Stats, "uid">): boolean {
  const own = process.geteuid?.();
  return own === undefined || own === ROOT || uid === own;
}

/**
 * Whether nobody but this user and root can have put it there or changed it. A group is trusted where it is the user's own, as
 * that of most home folders.
 */
export function isOnlyOursToChange({ uid, gid, mode }: Pick<Stats, "uid" | "gid" | "mode">): boolean {
  const own = process.geteuid?.();
  if (own === undefined) return true;
  if (!isOwnersSafe({ uid })) return false;
  return (mode & OTHERS_WRITE) === 0 && ((mode & GROUP_WRITES) === 0 || gid === process.getegid?.());
}

/** Set on a folder in which everybody may make files, and nobody take away those of others: the temporary one. */
const STICKY = 0o1000;

/**
 * Throws an Error where somebody else may put something into a folder, or another folder in its place: from here code is loaded.
 * The folder itself and each above it are looked at, as sshd does with what it reads.
 */
export function requireOnlyOursToChange(folder: string): void {
  const own = realpathSync(folder);
  for (let place = own; ; place = dirname(place)) {
    const found = lstatSync(place);
    const isSafe = isOnlyOursToChange(found) || (place !== own && (found.mode & STICKY) !== 0 && isOwnersSafe(found));
    if (!isSafe) throw new Error(`${place} belongs to somebody else, or others may write into it`);
    if (dirname(place) === place) return;
  }
}

const isOwnersSafe = ({ uid }: Pick<Stats, "uid">): boolean => uid === ROOT || uid === process.geteuid?.();

/**
 * Text of a file of which nobody else may know or choose the content: a regular one of this user's, closed to others, no link.
 * Throws an Error that says what keeps it from being read; nothing is waited for, and nothing beyond `bytes` is read.
 */
export function readPrivateFile(path: string, bytes: number): string {
  // A pipe would keep the reader waiting for ever.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error(`${path} is no file`);
    if (!isOurs(found)) throw new Error(`${path} belongs to somebody else`);
    if (process.platform !== "win32" && (found.mode & OTHERS) !== 0)
      throw new Error(`${path} is open to others: chmod 600 ${path}`);
    if (found.size > bytes) throw new Error(`${path} is longer than ${bytes} bytes`);
    const buffer = Buffer.alloc(found.size);
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, found.size, 0));
  } finally {
    closeSync(file);
  }
}
