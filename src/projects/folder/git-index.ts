import type { Stats } from "node:fs";

// The index of a work tree, as git documents it (gitformat-index, versions 2 to 4): what each tracked file was when it was staged.

const SIGNATURE = "DIRC";
const HEADER_BYTES = 12;
const VERSIONS: readonly number[] = [2, 3, 4];
/** Fields of an entry before its name: ten numbers of four bytes, the object's name (SHA-1), two of flags. */
const ENTRY_BYTES = 62;
const [MTIME_AT, MTIME_NS_AT, SIZE_AT, FLAGS_AT] = [8, 12, 36, 60];
const EXTENDED = 0x4000;
/** Entries of a merge that is not done have a stage. */
const STAGE = 0x3000;
/** Files that are looked at: more would take longer than a session may wait. */
const FILES_MAX = 5_000;
const NANOSECONDS = 1_000_000_000;

/** Git takes no such path; a file made by hand may name one. */
const LEADS_OUT = /^\/|(?:^|[\\/])\.\.(?:[\\/]|$)/;

interface Entry {
  readonly path: string;
  readonly mtime_s: number;
  readonly mtime_ns: number;
  readonly size: number;
  readonly is_in_merge: boolean;
}

/**
 * The paths of files that are not as they were staged, by size and time of change, those changed last first; what is gone has
 * no time and comes last. `stat` tells of a path what it is now, null where there is nothing. Throws RangeError for an index cut short.
 */
export function changedIn(index: Buffer, stat: (path: string) => Stats | null): string[] {
  const changed: { readonly path: string; readonly at_ms: number }[] = [];
  for (const entry of entriesIn(index)) {
    if (LEADS_OUT.test(entry.path)) continue;
    const now = stat(entry.path);
    if (entry.is_in_merge || now === null || !isAsStaged(entry, now))
      changed.push({ path: entry.path, at_ms: now?.mtimeMs ?? 0 });
  }
  const paths = changed.toSorted((a, b) => b.at_ms - a.at_ms).map(({ path }) => path);
  return [...new Set(paths)];
}

/** Sizes are kept in 32 bits; a file system without fractions of seconds tells none. */
function isAsStaged({ size, mtime_s, mtime_ns }: Entry, now: Stats): boolean {
  const [seconds, fraction] = [Math.floor(now.mtimeMs / 1000), Math.round((now.mtimeMs % 1000) * 1e6)];
  if (size !== now.size % 2 ** 32) return false;
  // Milliseconds as a float are exact to some hundreds of nanoseconds.
  return seconds === mtime_s && (mtime_ns === 0 || Math.abs(fraction - mtime_ns) < NANOSECONDS / 1e6);
}

function* entriesIn(index: Buffer): Generator<Entry> {
  if (index.toString("latin1", 0, 4) !== SIGNATURE) return;
  const version = index.readUInt32BE(4);
  if (!VERSIONS.includes(version)) return;
  const count = Math.min(index.readUInt32BE(8), FILES_MAX);
  let at = HEADER_BYTES;
  let before = Buffer.alloc(0);
  for (let i = 0; i < count; i++) {
    const flags = index.readUInt16BE(at + FLAGS_AT);
    const begin = at + ENTRY_BYTES + (version >= 3 && flags & EXTENDED ? 2 : 0);
    const { kept, from } = version === 4 ? sharedStart(index, begin, before.length) : { kept: 0, from: begin };
    const end = index.indexOf(0, from);
    if (end === -1) return;
    const name = Buffer.concat([before.subarray(0, kept), index.subarray(from, end)]);
    yield {
      path: name.toString(),
      mtime_s: index.readUInt32BE(at + MTIME_AT),
      mtime_ns: index.readUInt32BE(at + MTIME_NS_AT),
      size: index.readUInt32BE(at + SIZE_AT),
      is_in_merge: (flags & STAGE) !== 0,
    };
    before = name;
    // Up to version 3 an entry is filled up to a multiple of eight, by one byte at least.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
}

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
