import { crc32, deflateRawSync } from "node:zlib";

/** A file of a zip as a test wants it: its text, and what is unusual about it. */
export type Zipped =
  | string
  | {
      readonly text: string;
      readonly method?: number;
      readonly isEncrypted?: boolean;
      readonly isLink?: boolean;
      /** Its sizes stand where those of large files do. */
      readonly isWide?: boolean;
      /** Its own header does not know its sizes, which stand behind its data. */
      readonly isStreamed?: boolean;
      /** What it says that it unpacks to. */
      readonly toldBytes?: number;
      /** How long its packed data is said to be, and where its own header is said to stand, of one that is wide. */
      readonly toldPacked?: bigint;
      readonly toldAt?: bigint;
    };

const u16 = (...values: number[]): Buffer => Buffer.concat(values.map((value) => bytesOf(value, 2)));
const u32 = (...values: number[]): Buffer => Buffer.concat(values.map((value) => bytesOf(value, 4)));
function u64(...values: bigint[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [i, value] of values.entries()) bytes.writeBigUInt64LE(value, 8 * i);
  return bytes;
}
function bytesOf(value: number, length: 2 | 4): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntLE(value, 0, length);
  return bytes;
}

const END_BYTES = 22;
const [DEFLATE, DOS_TIME, DOS_DATE, ELSEWHERE] = [8, 0x5000, 0x5c61, 0xffffffff];

/** What both headers of a file say of it. */
function entryOf(name: string, zipped: Zipped) {
  const file = typeof zipped === "string" ? { text: zipped } : zipped;
  const method = file.method ?? DEFLATE;
  const data = method === 0 ? Buffer.from(file.text) : deflateRawSync(file.text);
  const bytes = file.toldBytes ?? Buffer.byteLength(file.text);
  const flags = 0x0800 | (file.isEncrypted ? 1 : 0) | (file.isStreamed ? 8 : 0);
  return { ...file, method, data, bytes, flags, written: Buffer.from(name), sum: crc32(file.text) };
}
type Entry = ReturnType<typeof entryOf>;

const localOf = ({ isStreamed, sum, data, bytes, flags, method, written }: Entry): Buffer =>
  Buffer.concat([
    u32(0x04034b50),
    u16(20, flags, method, DOS_TIME, DOS_DATE),
    isStreamed ? u32(0, 0, 0) : u32(sum, data.length, bytes),
    u16(written.length, 0),
    written,
    data,
    isStreamed ? u32(0x08074b50, sum, data.length, bytes) : Buffer.alloc(0),
  ]);

function listedOf(entry: Entry, at: number): Buffer {
  const { isWide, isLink, sum, data, bytes, flags, method, written, toldPacked = BigInt(data.length), toldAt } = entry;
  const wide = u64(BigInt(bytes), toldPacked, ...(toldAt === undefined ? [] : [toldAt]));
  const extra = isWide ? Buffer.concat([u16(1, wide.length), wide]) : Buffer.alloc(0);
  return Buffer.concat([
    u32(0x02014b50),
    u16(0x031e, 20, flags, method, DOS_TIME, DOS_DATE),
    u32(sum),
    isWide ? u32(ELSEWHERE, ELSEWHERE) : u32(data.length, bytes),
    u16(written.length, extra.length, 0, 0, 0),
    u32(((isLink ? 0o120777 : 0o100644) << 16) >>> 0, toldAt === undefined ? at : ELSEWHERE),
    written,
    extra,
  ]);
}

/** A zip with these files, by name, made byte by byte. */
export function zipOf(files: Readonly<Record<string, Zipped>>, comment = ""): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, zipped] of Object.entries(files)) {
    const entry = entryOf(name, zipped);
    const local = localOf(entry);
    directory.push(listedOf(entry, at));
    parts.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const said = Buffer.from(comment);
  const counts = u16(0, 0, directory.length, directory.length);
  const end = Buffer.concat([u32(0x06054b50), counts, u32(listed.length, at), u16(said.length), said]);
  return Buffer.concat([...parts, listed, end]);
}

/** The same with its directory said to be told of elsewhere, as in large zips. */
export function toldElsewhere(zip: Uint8Array, at: bigint): Uint8Array {
  const [files, end] = [zip.subarray(0, -END_BYTES), Buffer.from(zip.slice(-END_BYTES))];
  end.writeUInt16LE(0xffff, 10);
  return Buffer.concat([files, u32(0x07064b50, 0), u64(at), u32(1), end]);
}
