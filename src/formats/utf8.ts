import { createReadStream } from "node:fs";
import { AppError } from "../core/kernel/errors.ts";
import { NotPlain, openPlain, readPlain } from "../core/kernel/files/plain-files.ts";

const MIB = 1_048_576;
/** Of a file that is read as a whole. */
const TEXT_MAX_MIB = 512;
/** Of a line of a file that is read by lines. */
const LINE_MAX_MIB = 64;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A file that was found, and what messages call it. */
export interface Found {
  readonly at: string;
  readonly path: string;
  /** The folder, without links, that it was found in. */
  readonly within: string;
}

/** A file's text, without the mark that some programs put before UTF-8. Throws AppError BAD_REQUEST, naming `path`. */
export async function readText({ at, path, within }: Found): Promise<string> {
  const { bytes, isWhole } = plainly(path, () => readPlain(at, { max: TEXT_MAX_MIB * MIB, within }));
  if (!isWhole) throw tooLarge(path);
  return textOf(bytes, path);
}

/** The text of what is read in pieces, likewise. */
export async function gatherText(pieces: AsyncIterable<Buffer>, path: string): Promise<string> {
  const held: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    held.push(piece);
    size += piece.length;
    if (size > TEXT_MAX_MIB * MIB) throw tooLarge(path);
  }
  return textOf(Buffer.concat(held), path);
}

const tooLarge = (path: string): AppError =>
  new AppError("BAD_REQUEST", `${path} has more than ${TEXT_MAX_MIB} MiB: split it into smaller files.`);

function textOf(bytes: Buffer, path: string): string {
  requireUtf8Mark(bytes, path);
  try {
    return checked(decoder.decode(bytes), path, null);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw notUtf8(path, firstBadLine(bytes));
  }
}

/** Opens or reads what was a plain file when it was found, and may have become a link or a pipe since. */
export function plainly<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    throw new AppError("BAD_REQUEST", `${path} cannot be read: ${error.message}.`, undefined, { cause: error });
  }
}

/** A file's lines, likewise, without what ends them; only one is held at a time. */
export async function* readLines({ at, path, within }: Found): AsyncGenerator<string> {
  const { descriptor } = plainly(path, () => openPlain(at, { within }));
  yield* linesOf(createReadStream(at, { fd: descriptor }), path);
}

/** The lines of what is read in pieces, likewise. */
export async function* linesOf(pieces: AsyncIterable<Buffer>, path: string): AsyncGenerator<string> {
  let number = 0;
  let parts: Buffer[] = [];
  let held = 0;
  const line = (last: Buffer): string => {
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    held = 0;
    number++;
    if (number === 1) requireUtf8Mark(bytes, path);
    return decodeLine(bytes, path, number);
  };
  for await (const bytes of pieces) {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      yield line(bytes.subarray(start, end));
      start = end + 1;
    }
    if (start < bytes.length) parts.push(bytes.subarray(start));
    held += bytes.length - start;
    if (held > LINE_MAX_MIB * MIB)
      throw new AppError("BAD_REQUEST", `Line ${number + 1} of ${path} has more than ${LINE_MAX_MIB} MiB.`);
  }
  if (held > 0) yield line(Buffer.alloc(0));
}

function decodeLine(bytes: Buffer, path: string, number: number): string {
  const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
  let text: string;
  try {
    text = decoder.decode(bytes.subarray(0, end));
  } catch {
    throw notUtf8(path, number);
  }
  return checked(text, path, number);
}

/** Text without the mark before it. NUL bytes are none of any text that a person or a program writes in UTF-8. */
function checked(text: string, path: string, line: number | null): string {
  const nul = text.indexOf("\0");
  if (nul >= 0) {
    const number = line ?? text.slice(0, nul).split("\n").length;
    throw new AppError("BAD_REQUEST", `${path} holds a NUL byte in line ${number}: it is no text in UTF-8.`);
  }
  return line !== null && line > 1 ? text : text.replace(/^\ufeff/, "");
}

function firstBadLine(bytes: Buffer): number {
  let number = 1;
  for (let start = 0; start <= bytes.length; number++) {
    const end = bytes.indexOf(NEWLINE, start);
    try {
      decoder.decode(bytes.subarray(start, end < 0 ? bytes.length : end));
    } catch {
      return number;
    }
    if (end < 0) break;
    start = end + 1;
  }
  return number;
}

const notUtf8 = (path: string, line: number): AppError =>
  new AppError("BAD_REQUEST", `${path} is not in UTF-8 (line ${line}): save it as UTF-8, then import it again.`);

/** The marks that UTF-16 and UTF-32 begin with. */
function requireUtf8Mark(bytes: Buffer, path: string): void {
  const isUtf16 = bytes.length >= 2 && ["fffe", "feff"].includes(bytes.subarray(0, 2).toString("hex"));
  if (isUtf16) throw new AppError("BAD_REQUEST", `${path} is in UTF-16: save it as UTF-8, then import it again.`);
}
