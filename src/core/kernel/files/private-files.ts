import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { isOwnAccount, isRoot, isUnknownAccount } from "../account.ts";
import { openPlain, readUpTo } from "./plain-files.ts";

/** Modes of what only its owner may read. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const OTHERS = 0o077;
const [GROUP_WRITES, OTHERS_WRITE] = [0o020, 0o002];
/** Set on a folder in which everybody may make files, and nobody take away those of others: the temporary one. */
export const STICKY = 0o1000;

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

/** Writes a file that only its owner may read, whole or not at all, in the place of what has its name: no link is gone through. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: PRIVATE_FILE, flag: "wx", flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Opens a file to write at its end, made for its owner alone where there is none. Throws where it is a link. */
export function openPrivateFile(path: string, { empties }: { readonly empties: boolean }): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  return openSync(path, flags | (empties ? constants.O_TRUNC : 0), PRIVATE_FILE);
}

/** Whether something on disk is this very user's, be it root. Users without numbers are not told apart. */
export const isOwn = ({ uid }: Pick<Stats, "uid">): boolean => isOwnAccount(uid);

/** Whether something on disk is root's. */
export const isRoots = ({ uid }: Pick<Stats, "uid">): boolean => isRoot(uid);

/** Whether something on disk is this user's own; root may take up what is anybody's of whom it knows. */
export const isOurs = (found: Pick<Stats, "uid">): boolean =>
  isOwn(found) || (process.geteuid?.() === 0 && !isUnknownAccount(found.uid));

/**
 * Whether nobody but this user and root can have put it there or changed it. A group is trusted where its number is the
 * user's: it then has no other members, by the custom of most systems.
 */
export const isOnlyOursToChange = (found: Pick<Stats, "uid" | "gid" | "mode">): boolean =>
  (isOwn(found) || isRoots(found)) && onlyItsOwnerChanges(found);

/** Whether the modes let nobody write but its owner, and the group whose number is this user's. */
const onlyItsOwnerChanges = ({ gid, mode }: Pick<Stats, "gid" | "mode">): boolean =>
  process.geteuid === undefined ||
  ((mode & OTHERS_WRITE) === 0 && ((mode & GROUP_WRITES) === 0 || gid === process.geteuid()));

/** The same, no group excepted: where a list of accounts (acl(5)) lets others write, the modes tell so as the group's right. */
const onlyOwnerWrites = ({ mode }: Pick<Stats, "mode">): boolean =>
  process.geteuid === undefined || (mode & (OTHERS_WRITE | GROUP_WRITES)) === 0;

/**
 * The path of a folder without links, where nobody else can put anything into it, or another folder in its place: from here code
 * is loaded. The folder itself and each above it are looked at, as sshd does with what it reads. Throws an Error.
 */
export function requireOnlyOursToChange(folder: string): string {
  const own = realpathSync(folder);
  for (let place = own; ; place = dirname(place)) {
    const found = lstatSync(place);
    const isSafe = place === own ? isOnlyOursToChange(found) && onlyOwnerWrites(found) : isSafeAbove(found);
    if (!isSafe) throw new Error(`${place} belongs to somebody else, or others may write into it`);
    if (dirname(place) === place) return own;
  }
}

/**
 * Whether a folder above ours lets nobody but this user and root put another in its place. Whoever is root outside of a
 * namespace of users is unknown within, and the folders of the system are root's.
 */
const isSafeAbove = (found: Stats): boolean =>
  (isOwn(found) || isRoots(found) || isUnknownAccount(found.uid)) &&
  (onlyOwnerWrites(found) || (found.mode & STICKY) !== 0);

/**
 * Text of a file of which nobody else may know or choose the content: a regular one of this user's, closed to others, no link.
 * Throws an Error that says what keeps it from being read; nothing is waited for, and nothing beyond `bytes` is read. Root reads
 * those of others too, unless `isMine` says otherwise.
 */
export function readPrivateFile(path: string, bytes: number, isMine = isOurs): string {
  const { descriptor, stats } = openPlain(path);
  try {
    if (!isMine(stats)) throw new Error(`${path} belongs to somebody else`);
    if (process.platform !== "win32" && (stats.mode & OTHERS) !== 0)
      throw new Error(`${path} is open to others: chmod 600 ${path}`);
    if (stats.size > bytes) throw new Error(`${path} is longer than ${bytes} bytes`);
    return readUpTo(descriptor, bytes).toString("utf8");
  } finally {
    closeSync(descriptor);
  }
}
