import type { Stats } from "node:fs";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { sep } from "node:path";

/** What lies at a path is no plain file, or is too large; the message says what it is instead. */
export class NotPlain extends Error {
  override readonly name = "NotPlain";
}

/** What of a plain file is read. */
export interface PlainContent {
  readonly bytes: Buffer;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
  readonly stats: Stats;
}

/** Whether links are followed; files of others are read without. */
export interface Following {
  readonly follows?: boolean;
  /** The folder, without links, that the file must really lie in: one above it may have become a link since it was found. */
  readonly within?: string;
}

/** Neither waits for the other end of a pipe, nor goes through a link that has come to lie there just now. */
const [NO_WAIT, NO_LINK] = [constants.O_NONBLOCK ?? 0, constants.O_NOFOLLOW ?? 0];

/** Opens a plain file for reading without ever waiting for it. Throws NotPlain, and what the file system says. */
export function openPlain(
  path: string,
  { follows = false, within }: Following = {},
): {
  descriptor: number;
  stats: Stats;
} {
  // Looked at before it is opened: to open a device may already do something.
  requirePlain(follows ? statSync(path) : lstatSync(path));
  const descriptor = openSync(path, constants.O_RDONLY | NO_WAIT | (follows ? 0 : NO_LINK));
  try {
    const stats = fstatSync(descriptor);
    requirePlain(stats);
    if (within !== undefined) requireWithin(within, placeOf(descriptor, path, stats));
    return { descriptor, stats };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** What a plain file holds, at most `max` bytes of it. Throws NotPlain, and what the file system says. */
export function readPlain(path: string, { max, ...following }: Following & { readonly max: number }): PlainContent {
  const { descriptor, stats } = openPlain(path, following);
  try {
    const bytes = readUpTo(descriptor, max);
    return { bytes, isWhole: bytes.length < max || stats.size <= max, stats };
  } finally {
    closeSync(descriptor);
  }
}

/** At most `max` bytes of what is open. */
export function readUpTo(descriptor: number, max: number): Buffer {
  const parts: Buffer[] = [];
  let held = 0;
  while (held < max) {
    const part = Buffer.allocUnsafe(Math.min(PART_BYTES, max - held));
    const length = readSync(descriptor, part, 0, part.length, null);
    if (length === 0) break;
    parts.push(part.subarray(0, length));
    held += length;
  }
  return Buffer.concat(parts);
}

const PART_BYTES = 64 * 1024;

function requireWithin(folder: string, place: string | null): void {
  if (place?.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) return;
  throw new NotPlain("a folder above it is, or was just now, a link that leads elsewhere");
}

/** Where what is open really lies, as the system says; where it does not say, what the path leads to if that is the same file. */
export function placeOf(descriptor: number, path: string, { dev, ino }: Stats): string | null {
  if (process.platform === "linux") {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      // No /proc is mounted here.
    }
  }
  const place = realpathSync(path);
  const found = lstatSync(place);
  return found.dev === dev && found.ino === ino ? place : null;
}

function requirePlain(found: Stats): void {
  if (found.isFile()) return;
  if (found.isSymbolicLink()) throw new NotPlain("it is a link, and links are not followed here");
  throw new NotPlain(`it is no file but ${found.isDirectory() ? "a folder" : "a device or a pipe"}`);
}
