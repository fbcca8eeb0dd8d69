import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../../core/kernel/errors.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../core/kernel/files/private-files.ts";
import { describeCause } from "../../core/kernel/log.ts";
import type { WrittenFile } from "../../formats/markdown/write.ts";

/** Bytes that are written at once. */
const CHUNK_LENGTH = 256 * 1024;

/** Writes lines into a new file, for its owner alone: whole, or not at all. Throws AppError. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  if (existsSync(path)) throw taken(path);
  await whole(path, async (part) => {
    const file = openSync(part, "wx", PRIVATE_FILE);
    try {
      let waiting = "";
      for await (const line of lines) {
        waiting += `${line}\n`;
        if (waiting.length < CHUNK_LENGTH) continue;
        writeAll(file, waiting);
        waiting = "";
      }
      writeAll(file, waiting);
    } finally {
      closeSync(file);
    }
  });
}

/** Writes files into a new or empty folder, for its owner alone: all, or none. Returns how many. Throws AppError. */
export async function writeFiles(folder: string, files: AsyncIterable<WrittenFile>): Promise<number> {
  if (existsSync(folder)) {
    if (!isEmptyFolder(folder)) throw taken(folder);
    rmdirSync(folder);
  }
  let count = 0;
  await whole(folder, async (part) => {
    mkdirSync(part, { mode: PRIVATE_FOLDER });
    for await (const { path, text } of files) {
      const place = join(part, path);
      mkdirSync(dirname(place), { recursive: true, mode: PRIVATE_FOLDER });
      const file = openSync(place, "wx", PRIVATE_FILE);
      try {
        writeAll(file, text);
      } finally {
        closeSync(file);
      }
      count += 1;
    }
  });
  return count;
}

/** Has something made beside its place, under a name that nobody has, and moves it there once it is whole. */
async function whole(path: string, make: (part: string) => Promise<void>): Promise<void> {
  const part = `${path}.${crypto.randomUUID()}.part`;
  try {
    await make(part);
    if (existsSync(path)) throw taken(path);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw isOfDisk(error) ? unwritable(path, error) : error;
  }
}

const isEmptyFolder = (path: string): boolean => {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
};

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

const isOfDisk = (error: unknown): boolean => error instanceof Error && "syscall" in error;

const unwritable = (path: string, cause: unknown): AppError =>
  new AppError("UNAVAILABLE", `${path} could not be written: ${describeCause(cause)}. Nothing is left of it.`);

const taken = (path: string): AppError =>
  new AppError("CONFLICT", `There is a ${path} already. Name another destination, or remove it first.`);
