import { closeSync, createReadStream, fstatSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { toTimestamp } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { openPlain } from "../../core/kernel/files/plain-files.ts";
import type { SourceFile } from "../reader.ts";
import { gatherText, linesOf, plainly } from "../utf8.ts";
import type { ArchiveFile, ReadBytes } from "./archive.ts";
import { broken, requireRatio, unpacked } from "./unpacked.ts";
import type { ZipEntry } from "./zip-directory.ts";
import { directoryOf, entriesOf } from "./zip-directory.ts";

const LOCAL_MARK = 0x04034b50;
const LOCAL_BYTES = 30;
const KINDS: Readonly<Record<number, "stored" | "deflate">> = { 0: "stored", 8: "deflate" };

/** The files of a zip. Throws AppError BAD_REQUEST for one that is broken, encrypted, or was made to do harm. */
export function readZip(archive: ArchiveFile): SourceFile[] {
  const { descriptor } = plainly(archive.name, () => openPlain(archive.at, { within: dirname(archive.at) }));
  try {
    const size = fstatSync(descriptor).size;
    const read = reading(descriptor, archive.name);
    const entries = entriesOf(directoryOf(read, size, archive.name), archive.name);
    requireRatio(
      archive.name,
      entries.reduce((sum, { bytes }) => sum + bytes, 0),
      size,
    );
    const paths = pathsOf(entries, archive.name);
    return entries.map((entry, i) => fileOf(archive, entry, paths[i] ?? entry.name));
  } finally {
    closeSync(descriptor);
  }
}

/** Reads from what is open; what is said to lie behind its end is broken, and no number that a system takes may be. */
function reading(descriptor: number, name: string): ReadBytes {
  const { size } = fstatSync(descriptor);
  return (from, length) => {
    if (from + length > size) throw broken(name);
    const bytes = Buffer.alloc(length);
    let held = 0;
    while (held < length) {
      const read = readSync(descriptor, bytes, held, length - held, from + held);
      if (read === 0) throw broken(name);
      held += read;
    }
    return bytes;
  };
}

/** Paths within the archive, without the one folder that all of it lies in. */
function pathsOf(entries: readonly ZipEntry[], archive: string): string[] {
  const names = entries.map(({ name }) => name);
  if (new Set(names).size !== names.length)
    throw new AppError("BAD_REQUEST", `${archive} holds two files of one name.`);
  const [top = ""] = names[0]?.split("/") ?? [];
  const isWithin = names.every((name) => name.startsWith(`${top}/`));
  return isWithin ? names.map((name) => name.slice(top.length + 1)) : names;
}

function fileOf(archive: ArchiveFile, entry: ZipEntry, path: string): SourceFile {
  const pieces = () => unpackedEntry(archive, entry);
  return {
    path,
    changed_at: entry.changed_ms === null ? archive.changed_at : toTimestamp(entry.changed_ms),
    text: async () => gatherText(pieces(), path),
    lines: () => linesOf(pieces(), path),
  };
}

/** What an entry holds, in pieces. Throws AppError BAD_REQUEST where it is encrypted, or packed in an unknown way. */
async function* unpackedEntry({ at, name: archive }: ArchiveFile, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { method, packed, bytes, crc32 } = entry;
  const name = `${archive}/${entry.name}`;
  const kind = KINDS[method];
  if (entry.isEncrypted) throw new AppError("BAD_REQUEST", `${name} is encrypted: unpack the archive yourself.`);
  if (!kind) throw new AppError("BAD_REQUEST", `${name} is packed in an unknown way: unpack the archive yourself.`);
  if (packed === 0) return;
  const { descriptor } = plainly(archive, () => openPlain(at, { within: dirname(at) }));
  const start = dataFrom(descriptor, entry, archive);
  // The stream closes what it reads from.
  const stream = createReadStream(at, { fd: descriptor, start, end: start + packed - 1 });
  yield* unpacked(stream, { name, kind, packed, size: { bytes, crc32 } });
}

/** Where the data of an entry begins: its own header may be of another length than the directory says. Closes what cannot be read. */
function dataFrom(descriptor: number, { header_at, packed }: ZipEntry, archive: string): number {
  try {
    const header = reading(descriptor, archive)(header_at, LOCAL_BYTES);
    if (header.readUInt32LE(0) !== LOCAL_MARK) throw broken(archive);
    const start = header_at + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
    if (start + packed > fstatSync(descriptor).size) throw broken(archive);
    return start;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
