import type { Stats } from "node:fs";
import { lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isUnknownAccount } from "../account.ts";
import { AppError } from "../errors.ts";
import { changeOwnFolder } from "./own-modes.ts";
import { isOurs, isOwn, isRoots, PRIVATE_FOLDER } from "./private-files.ts";

/** What Cairn writes at the top of a data folder. */
const STATE = /^\.?cairn[.-]|^server\.|^starting\.lock$/;
const WRITERS = 0o022;
const OTHERS_WRITE = 0o002;

/** Makes a folder for its owner alone, and holds it to what `requireOwnFolder` says. */
export function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  requireOwnFolder(folder);
}

/**
 * Throws AppError UNAVAILABLE where somebody else could read or choose what is kept in a folder: it, or something in it, belongs to
 * another user, others may write into it, or a file that Cairn writes is a link. A folder of this user into which others may write
 * is closed to them, unless it is one for everybody, or a link leads there. The superuser takes up folders and files of anybody,
 * as containers need it.
 */
export function requireOwnFolder(folder: string): void {
  if (process.geteuid === undefined) return;
  const found = statSync(folder);
  if (!isTrusted(found)) throw refused(folder, `it belongs to ${named(found)}, and you are user ${process.geteuid()}`);
  requireOwnEntries(folder);
  if ((found.mode & WRITERS) === 0) return;
  const why = isOwn(found) ? changeOwnFolder(folder, (mode) => mode & ~WRITERS) : "it is not yours";
  if (why !== null && mayOthersWrite(found)) throw refused(folder, `others may write into it, and ${why}`);
  // What they put there until it was closed.
  requireOwnEntries(folder);
}

function requireOwnEntries(folder: string): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry && !isTrusted(entry)) throw refused(folder, `${path} belongs to ${named(entry)}`);
    if (entry?.isSymbolicLink() && STATE.test(name)) throw refused(folder, `${path} is a link`);
  }
}

const refused = (folder: string, why: string): AppError =>
  new AppError(
    "UNAVAILABLE",
    `${folder} is not kept for you alone: ${why}. Choose another folder with --data, or let its owner give it to you.`,
    { folder },
  );

/** Within a namespace of users it is of no avail to say a number that is anybody's, and may be one's own. */
const named = ({ uid }: Stats): string =>
  isUnknownAccount(uid) ? `somebody whom this namespace of users does not know (user ${uid})` : `user ${uid}`;

const isTrusted = (found: Stats): boolean => isOurs(found) || isRoots(found);

/**
 * Whether somebody else may put files there. A group is trusted where its number is the owner's, and has then no other members by
 * the custom of most systems, and where root chose it.
 */
function mayOthersWrite(found: Stats): boolean {
  if ((found.mode & OTHERS_WRITE) !== 0) return true;
  return (found.mode & WRITERS) !== 0 && found.gid !== found.uid && !isRoots(found);
}

/** A folder that may not be listed says so itself once it is used. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
