import type { Stats } from "node:fs";
import { closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { openPlain, placeOf } from "./plain-files.ts";
import { isOwn, PRIVATE_FILE, STICKY } from "./private-files.ts";

// Modes are changed of what is open and was looked at, never of a path: in the folder of somebody else, whose path that is may
// change at any moment, and root's word would be done to whatever a link leads to.

const MODE = 0o7777;

/** Takes a file of this very account away from others. False where it is none, has a second name, or cannot be changed. */
export function closeOwnFile(path: string): boolean {
  try {
    const { descriptor, stats } = openPlain(path);
    try {
      // A second name may be one that somebody gave to a file of ours elsewhere.
      if (!isOwn(stats) || stats.nlink !== 1) return false;
      change(descriptor, stats, PRIVATE_FILE);
      return true;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false; // It is not there, or lies on a file system that cannot be changed.
  }
}

/**
 * Gives a folder of this very account the mode that follows from the one that it has. Null where that was done, or its file system
 * takes none; else why it was left as it is.
 */
export function changeOwnFolder(path: string, to: (mode: number) => number): string | null {
  try {
    const descriptor = openSync(path, FOLDER_ALONE);
    try {
      const stats = fstatSync(descriptor);
      if (!isOwn(stats)) return "it belongs to somebody else";
      if (placeOf(descriptor, path, stats) !== resolve(path)) return LINK;
      if ((stats.mode & STICKY) !== 0) return "it is one for everybody (sticky)";
      change(descriptor, stats, to(stats.mode & MODE));
      return null;
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return WITHOUT_MODES.has(code) ? null : LINKS.has(code) ? LINK : `it cannot be opened (${code})`;
  }
}

const FOLDER_ALONE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_DIRECTORY ?? 0);
const LINK = "a link leads there: name the folder itself";
/** What systems say of a link where a folder is to be opened. */
const LINKS: ReadonlySet<string> = new Set(["ELOOP", "ENOTDIR", "EMLINK"]);
/** What a file system says that is mounted read-only, or keeps no modes. */
const WITHOUT_MODES: ReadonlySet<string> = new Set(["EPERM", "EROFS", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"]);

function change(descriptor: number, stats: Stats, mode: number): void {
  if ((stats.mode & MODE) !== mode) fchmodSync(descriptor, mode);
}
