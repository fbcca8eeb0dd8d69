import type { Stats } from "node:fs";
import { closeSync, existsSync, fstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError } from "../../core/kernel/errors.ts";
import type { HeldFolder } from "../../core/kernel/files/held-folder.ts";
import { holdFolder, holdOwn, makeIn, nameIn } from "../../core/kernel/files/held-folder.ts";
import { PRIVATE_FOLDER } from "../../core/kernel/files/private-files.ts";
import { describeCause } from "../../core/kernel/log.ts";
import type { WrittenFile } from "../../formats/markdown/write.ts";

/** Bytes that are written at once. */
const CHUNK_LENGTH = 256 * 1024;

/** Writes lines into a new file, for its owner alone: whole, or not at all. Throws AppError. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  if (existsSync(path)) throw taken(path);
  await whole(path, (folder, part) => {
    const file = makeIn(folder, part);
    return {
      stats: fstatSync(file),
      write: () => writeEach(file, lines),
      discard: () => rmSync(folder.at(part), { force: true }),
      close: () => closeSync(file),
    };
  });
}

/** Writes files into a new or empty folder, for its owner alone: all, or none. Returns how many. Throws AppError. */
export async function writeFiles(path: string, files: AsyncIterable<WrittenFile>): Promise<number> {
  if (existsSync(path)) {
    if (!isEmptyFolder(path)) throw taken(path);
    rmdirSync(path);
  }
  let count = 0;
  await whole(path, (folder, part) => {
    mkdirSync(folder.at(part), { mode: PRIVATE_FOLDER });
    const notes = holdOwn(folder, part);
    return {
      stats: notes.stats,
      async write() {
        for await (const note of files) {
          writeNote(notes, note);
          count += 1;
        }
      },
      discard: () => discardNotes(folder, part, notes),
      close: notes.close,
    };
  });
  return count;
}

/** What is made beside its place, under a name that nobody has. */
interface Draft {
  readonly stats: Stats;
  write(): Promise<void>;
  /** Removes what there is of it. */
  discard(): void;
  close(): void;
}

/** Has something made beside its place and moves it there once it is whole. The folder may be anybody's: it is held open meanwhile. */
async function whole(path: string, begin: (folder: HeldFolder, part: string) => Draft): Promise<void> {
  try {
    const folder = holdFolder(dirname(path), { follows: true });
    try {
      await writtenIn(folder, basename(path), begin);
    } finally {
      folder.close();
    }
  } catch (error) {
    throw isOfDisk(error) ? unwritable(path, error) : error;
  }
}

async function writtenIn(folder: HeldFolder, name: string, begin: Parameters<typeof whole>[1]): Promise<void> {
  const part = `${name}.${crypto.randomUUID()}.part`;
  const draft = begin(folder, part);
  try {
    await draft.write();
    if (existsSync(folder.at(name))) throw taken(join(folder.path, name));
    nameIn(folder, part, name, draft.stats);
  } catch (error) {
    draft.discard();
    throw error;
  } finally {
    draft.close();
  }
}

/** Writes a file below a folder that nobody else may enter. */
function writeNote(notes: HeldFolder, { path, text }: WrittenFile): void {
  mkdirSync(dirname(notes.at(path)), { recursive: true, mode: PRIVATE_FOLDER });
  const file = makeIn(notes, path);
  try {
    writeAll(file, text);
  } finally {
    closeSync(file);
  }
}

function discardNotes(folder: HeldFolder, part: string, notes: HeldFolder): void {
  for (const name of notes.names()) rmSync(notes.at(name), { recursive: true, force: true });
  try {
    rmdirSync(folder.at(part));
  } catch {
    // Another took its place, which is said already.
  }
}

async function writeEach(file: number, lines: AsyncIterable<string>): Promise<void> {
  let waiting = "";
  for await (const line of lines) {
    waiting += `${line}\n`;
    if (waiting.length < CHUNK_LENGTH) continue;
    writeAll(file, waiting);
    waiting = "";
  }
  writeAll(file, waiting);
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

/** What keeps a folder from taking a file, and what to do. */
const FOLDER_FAULTS: Readonly<Record<string, (folder: string) => string>> = {
  ENOENT: (folder) => `There is no folder ${folder}. Make it first.`,
  ENOTDIR: (folder) => `${folder} is no folder. Name another destination.`,
  EACCES: (folder) => `You may not write into ${folder}. Name another destination.`,
  EROFS: (folder) => `${folder} cannot be written. Name another destination.`,
};

function unwritable(path: string, cause: unknown): AppError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const folder = dirname(path);
  const said = code === "ENOENT" && existsSync(folder) ? undefined : FOLDER_FAULTS[code]?.(folder);
  // What follows is the call, and a path that nobody knows.
  const why = said ?? `${path} could not be written: ${describeCause(cause).split(", ", 1)}. Nothing is left of it.`;
  return new AppError("UNAVAILABLE", why);
}

const taken = (path: string): AppError =>
  new AppError("CONFLICT", `There is a ${path} already. Name another destination, or remove it first.`);
