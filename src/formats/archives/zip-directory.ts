import { AppError } from "../../core/kernel/errors.ts";
import type { ReadBytes } from "./archive.ts";
import { broken } from "./unpacked.ts";

/** A file of a zip, as its directory at the end tells. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** Bytes packed and unpacked. */
  readonly packed: number;
  readonly bytes: number;
  readonly crc32: number;
  /** Where its own header stands. */
  readonly header_at: number;
  /** When it was changed last, in epoch milliseconds; null where that is no date. */
  readonly changed_ms: number | null;
}

interface Directory {
  readonly bytes: Buffer;
  readonly count: number;
}

const ENTRIES_MAX = 100_000;
const DIRECTORY_MAX = 64 * 1_048_576;
const [END_MARK, WIDE_END_MARK, WIDE_LOCATOR_MARK, ENTRY_MARK] = [0x06054b50, 0x06064b50, 0x07064b50, 0x02014b50];
const [END_BYTES, WIDE_LOCATOR_BYTES, WIDE_END_BYTES, ENTRY_BYTES] = [22, 20, 56, 46];
/** A comment of the longest stands behind the end. */
const COMMENT_MAX = 0xffff;
/** Stands where the real number, which needs more bytes, is elsewhere. */
const [ELSEWHERE_16, ELSEWHERE_32] = [0xffff, 0xffffffff];
const WIDE_NUMBERS = 0x0001;

/** The directory of a zip of so many bytes. Throws AppError BAD_REQUEST where there is none, or it is too large. */
export function directoryOf(read: ReadBytes, size: number, archive: string): Directory {
  const tail_at = Math.max(0, size - END_BYTES - COMMENT_MAX);
  const tail = read(tail_at, size - tail_at);
  let at = tail.length - END_BYTES;
  while (at >= 0 && tail.readUInt32LE(at) !== END_MARK) at--;
  if (at < 0) throw broken(archive);
  const told = {
    count: tail.readUInt16LE(at + 10),
    length: tail.readUInt32LE(at + 12),
    from: tail.readUInt32LE(at + 16),
  };
  const isWide = told.count === ELSEWHERE_16 || told.length === ELSEWHERE_32 || told.from === ELSEWHERE_32;
  const { count, length, from } = isWide ? wideEnd(read, tail_at + at, archive) : told;
  if (count > ENTRIES_MAX || length > DIRECTORY_MAX)
    throw new AppError("BAD_REQUEST", `${archive} holds more than ${ENTRIES_MAX} files: unpack it yourself.`);
  if (from + length > size) throw broken(archive);
  return { bytes: read(from, length), count };
}

function wideEnd(read: ReadBytes, end_at: number, archive: string) {
  if (end_at < WIDE_LOCATOR_BYTES) throw broken(archive);
  const locator = read(end_at - WIDE_LOCATOR_BYTES, WIDE_LOCATOR_BYTES);
  if (locator.readUInt32LE(0) !== WIDE_LOCATOR_MARK) throw broken(archive);
  const end = read(numberAt(locator, 8), WIDE_END_BYTES);
  if (end.readUInt32LE(0) !== WIDE_END_MARK) throw broken(archive);
  return { count: numberAt(end, 32), length: numberAt(end, 40), from: numberAt(end, 48) };
}

/** A number of eight bytes; one that no file can have is as good as infinite. */
const numberAt = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

/** The files among its entries. Throws AppError BAD_REQUEST for a name that leads out of the archive. */
export function entriesOf({ bytes, count }: Directory, archive: string): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY_MARK) throw broken(archive);
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const end = at + ENTRY_BYTES + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
    if (end > bytes.length) throw broken(archive);
    const entry = entryAt(bytes.subarray(at, end), name ?? 0, extra ?? 0, archive);
    if (entry) entries.push(entry);
    at = end;
  }
  return entries;
}

const IS_UTF8 = 0x0800;
const IS_ENCRYPTED = 0x0001;
/** Of the mode of a file on Unix, in the upper half of its attributes. */
const [KIND_BITS, LINK_BITS] = [0o170000, 0o120000];

/** An entry; null for what is a folder or a link, which is never followed. */
function entryAt(entry: Buffer, name_bytes: number, extra_bytes: number, archive: string): ZipEntry | null {
  const flags = entry.readUInt16LE(8);
  const written = entry.subarray(ENTRY_BYTES, ENTRY_BYTES + name_bytes);
  const name = nameOf(written.toString((flags & IS_UTF8) !== 0 || isUtf8(written) ? "utf8" : "latin1"), archive);
  if (name.endsWith("/") || ((entry.readUInt32LE(38) >>> 16) & KIND_BITS) === LINK_BITS) return null;
  const extra = entry.subarray(ENTRY_BYTES + name_bytes, ENTRY_BYTES + name_bytes + extra_bytes);
  const [bytes, packed, header_at] = wide(
    [24, 20, 42].map((at) => entry.readUInt32LE(at)),
    extra,
    archive,
  );
  return {
    name,
    method: entry.readUInt16LE(10),
    isEncrypted: (flags & IS_ENCRYPTED) !== 0,
    packed: packed ?? 0,
    bytes: bytes ?? 0,
    crc32: entry.readUInt32LE(16),
    header_at: header_at ?? 0,
    changed_ms: momentOf(entry.readUInt16LE(14), entry.readUInt16LE(12)),
  };
}

const isUtf8 = (bytes: Buffer): boolean =>
  bytes.toString("utf8").isWellFormed() && !bytes.toString("utf8").includes("\ufffd");

/** A path below the archive, whatever marks its maker parts folders with. Throws AppError BAD_REQUEST for any other. */
function nameOf(written: string, archive: string): string {
  const name = written.replaceAll("\\", "/");
  const leads = name === "" || name.startsWith("/") || /^[a-z]:/i.test(name) || name.includes("\0");
  if (leads || name.split("/").some((part) => part === ".." || part === "."))
    throw new AppError("BAD_REQUEST", `${archive} holds a file whose name leads out of it: nothing of it is read.`);
  return name;
}

/** Numbers, with those that need more bytes taken from what stands behind the name. */
function wide(numbers: readonly number[], extra: Buffer, archive: string): number[] {
  if (!numbers.includes(ELSEWHERE_32)) return [...numbers];
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === WIDE_NUMBERS)
      return widened(numbers, extra.subarray(at + 4, at + 4 + length), archive);
    at += 4 + length;
  }
  throw broken(archive);
}

function widened(numbers: readonly number[], field: Buffer, archive: string): number[] {
  let at = 0;
  return numbers.map((number) => {
    if (number !== ELSEWHERE_32) return number;
    if (at + 8 > field.length) throw broken(archive);
    at += 8;
    return numberAt(field, at - 8);
  });
}

/** A moment as DOS wrote it, by the clock of whoever made the archive; null for what is none. */
function momentOf(date: number, time: number): number | null {
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
  const at = new Date(year, month - 1, day, time >> 11, (time >> 5) & 63, (time & 31) * 2);
  return month >= 1 && month <= 12 && day >= 1 && at.getDate() === day ? at.getTime() : null;
}
