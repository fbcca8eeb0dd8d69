import type { Stats } from "node:fs";

// The index of a work tree, as git documents it (gitformat-index, versions 2 to 4): what each tracked file was when it was staged.

const SIGNATURE = "DIRC";
const HEADER_BYTES = 12;
const VERSIONS: readonly number[] = [2, 3, 4];
/** Fields of an entry before its name: ten numbers of four bytes, the object's name (SHA-1), two of flags. */
const ENTRY_BYTES = 62;
const [MTIME_AT, MTIME_NS_AT, MODE_AT, SIZE_AT, FLAGS_AT] = [8, 12, 24, 36, 60];
/** Kind of a plain file in the upper bits of its mode: links, submodules and folders of a sparse index are others. */
const [KIND_SHIFT, PLAIN] = [12, 0o10];
const ASSUMED_VALID = 0x8000;
const EXTENDED = 0x4000;
/** Entries of a merge that is not done have a stage. */
const STAGE = 0x3000;
const SKIPPED_IN_WORK_TREE = 0x4000;
/** Longer names are none that a system opens. */
const NAME_MAX = 4_096;
const MS = 1e6;

interface Entry {
  readonly path: string;
  readonly mtime_s: number;
  readonly mtime_ns: number;
  readonly size: number;
  readonly is_in_merge: boolean;
}

/** What is known of the files that an index names. */
export interface Looking {
  /** What lies at a path; null for nothing. */
  readonly stat: (path: string) => Stats | null;
  /** Whether there is no time left to look at more. */
  readonly isOver: () => boolean;
}

/**
 * The paths of plain files that are not as they were staged, by size and time of change, those changed last first; what is gone has
 * no time and comes last. Of an index that is broken, or of another form, so many as can be read.
 */
export function changedIn(index: Buffer, { stat, isOver }: Looking): string[] {
  const changed: { readonly path: string; readonly at_ms: number }[] = [];
  const isFolder = foldersBy(stat);
  try {
    for (const entry of entriesIn(index)) {
      if (isOver()) break;
      if (LEADS_OUT.test(entry.path) || !isFolder(parentOf(entry.path))) continue;
      const now = stat(entry.path);
      if (entry.is_in_merge || now === null || !isAsStaged(entry, now))
        changed.push({ path: entry.path, at_ms: now?.mtimeMs ?? 0 });
    }
  } catch (error) {
    // Cut short.
    if (!(error instanceof RangeError)) throw error;
  }
  const paths = changed.toSorted((a, b) => b.at_ms - a.at_ms).map(({ path }) => path);
  return [...new Set(paths)];
}

/** Git takes no such path; a file made by hand may name one. */
const LEADS_OUT = /^\/|(?:^|[\\/])\.\.(?:[\\/]|$)/;

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Tells whether what is below a path lies in the work tree: no folder above it is a link that leads elsewhere. One that is gone is none. */
function foldersBy(stat: Looking["stat"]): (path: string) => boolean {
  const known = new Map([["", true]]);
  const isFolder = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const is = isFolder(parentOf(path)) && !(stat(path)?.isSymbolicLink() ?? false);
    known.set(path, is);
    return is;
  };
  return isFolder;
}

/** Sizes are kept in 32 bits; an index may keep whole seconds only, and times are read as milliseconds. */
function isAsStaged({ size, mtime_s, mtime_ns }: Entry, now: Stats): boolean {
  if (size !== now.size % 2 ** 32 || !now.isFile()) return false;
  if (mtime_ns === 0) return Math.floor(now.mtimeMs / 1000) === mtime_s;
  return Math.abs(now.mtimeMs - (mtime_s * 1000 + mtime_ns / MS)) < 1;
}

function* entriesIn(index: Buffer): Generator<Entry> {
  if (index.toString("latin1", 0, 4) !== SIGNATURE) return;
  const version = index.readUInt32BE(4);
  if (!VERSIONS.includes(version)) return;
  const count = index.readUInt32BE(8);
  let at = HEADER_BYTES;
  let before = Buffer.alloc(0);
  for (let i = 0; i < count; i++) {
    const { begin, isLookedAt } = flagsAt(index, at, version);
    const { kept, from } = version === 4 ? sharedStart(index, begin, before.length) : { kept: 0, from: begin };
    const end = index.indexOf(0, from);
    const length = kept + end - from;
    // Names of a split index are empty, and stand elsewhere.
    if (end === -1 || length > NAME_MAX || length === 0) return;
    const name = Buffer.concat([before.subarray(0, kept), index.subarray(from, end)]);
    if (isLookedAt) yield entryAt(index, at, name.toString());
    before = name;
    // Up to version 3 an entry is filled up to a multiple of eight, by one byte at least.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
}

/** Where the name of an entry begins, and whether git itself would look at its file, and finds a plain one. */
function flagsAt(index: Buffer, at: number, version: number): { readonly begin: number; readonly isLookedAt: boolean } {
  const flags = index.readUInt16BE(at + FLAGS_AT);
  const isExtended = version >= 3 && (flags & EXTENDED) !== 0;
  const more = isExtended ? index.readUInt16BE(at + ENTRY_BYTES) : 0;
  const isPlain = index.readUInt32BE(at + MODE_AT) >>> KIND_SHIFT === PLAIN;
  const isLookedAt = isPlain && (flags & ASSUMED_VALID) === 0 && (more & SKIPPED_IN_WORK_TREE) === 0;
  return { begin: at + ENTRY_BYTES + (isExtended ? 2 : 0), isLookedAt };
}

const entryAt = (index: Buffer, at: number, path: string): Entry => ({
  path,
  mtime_s: index.readUInt32BE(at + MTIME_AT),
  mtime_ns: index.readUInt32BE(at + MTIME_NS_AT),
  size: index.readUInt32BE(at + SIZE_AT),
  is_in_merge: (index.readUInt16BE(at + FLAGS_AT) & STAGE) !== 0,
});

/** How much of the name before a name of version 4 begins with: as much as is left when so many bytes are taken off its end. */
function sharedStart(index: Buffer, begin: number, length: number): { readonly kept: number; readonly from: number } {
  let from = begin;
  let byte = index.readUInt8(from++);
  let taken = byte & 127;
  while (byte & 128) {
    byte = index.readUInt8(from++);
    taken = (taken + 1) * 128 + (byte & 127);
  }
  return { kept: Math.max(0, length - taken), from };
}
