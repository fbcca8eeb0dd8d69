import { createHash, randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { AppError } from "../errors.ts";
import { PRIVATE_FOLDER, requireOnlyOursToChange } from "./private-files.ts";
import { unverifiedOf } from "./verified-files.ts";

/** A file that travels inside the executable and must lie on disk under its own name to be used. */
export interface EmbeddedFile {
  readonly name: string;
  /** Where its bytes are read from: a path of the executable's own file system. One that ends in `.zst` is compressed. */
  readonly path: string;
  /** Of the file as it is used. */
  readonly bytes: number;
  readonly sha256: string;
}

// Bun mounts the files of an executable under these roots (the second one on Windows).
const EMBEDDED_ROOTS = ["/$bunfs/", "B:\\~BUN\\", "B:/~BUN/"] as const;
const DIGEST_LENGTH = 16;
const LIBRARY_MODE = 0o700;

/** Whether a path points inside the executable, where native loaders cannot reach it. */
export const isEmbedded = (path: string): boolean => EMBEDDED_ROOTS.some((root) => path.startsWith(root));

/** Describes one file by reading it: for small files whose digest was not computed at build time. */
export function describeFile(path: string, name = basename(path)): EmbeddedFile {
  const content = readFileSync(path);
  return { name, path, bytes: content.byteLength, sha256: createHash("sha256").update(content).digest("hex") };
}

/**
 * Copies files side by side into a folder named by their content and returns it. What is there and has that content stays: it
 * is hashed once for each file on disk and each boot of the machine. Uses `cacheDir`, or a private folder of the system's
 * temporary one when libraries cannot be used from there, or others may write into it; that one serves
 * every process of this user, unless somebody else has taken its name. Throws AppError UNAVAILABLE with what is wrong with each.
 */
export function extractFiles(label: string, files: readonly EmbeddedFile[], cacheDir: string): string {
  const folder = `${label}-${digestOf(files)}`;
  const faults: string[] = [];
  for (const place of [() => cacheDir, privateTemporaryFolder]) {
    try {
      return fill(join(place(), folder), files);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new AppError(
    "UNAVAILABLE",
    `The native libraries of Cairn cannot be unpacked: ${faults.join("; ")}. Name a folder that can be written and is not mounted noexec with --cache or CAIRN_CACHE.`,
  );
}

/** The first of these folders from which a library of the executable can be used; the first of all when there is none. */
export function placeForLibraries([first, ...others]: readonly [string, ...string[]]): string {
  return [first, ...others].find(takesLibraries) ?? first;
}

function takesLibraries(folder: string): boolean {
  const probe = join(folder, `probe-${randomUUID()}`);
  try {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    requireOnlyOursToChange(folder);
    writeFileSync(probe, "", { mode: LIBRARY_MODE });
    try {
      requireExecutable(probe);
    } finally {
      rmSync(probe, { force: true });
    }
    return true;
  } catch {
    return false;
  }
}

/** A file that may not be executed where its mode says that it may lies on a file system mounted noexec. */
function requireExecutable(path: string): void {
  try {
    accessSync(path, constants.X_OK);
  } catch (cause) {
    throw new Error(`files in ${dirname(path)} may not be executed (mounted noexec)`, { cause });
  }
}

function digestOf(files: readonly EmbeddedFile[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file.name}:${file.sha256}\n`);
  return hash.digest("hex").slice(0, DIGEST_LENGTH);
}

function fill(named: string, files: readonly EmbeddedFile[]): string {
  mkdirSync(named, { recursive: true, mode: PRIVATE_FOLDER });
  const folder = requireOnlyOursToChange(named);
  const unsound = unverifiedOf(folder, files);
  for (const file of unsound) place(file, folder);
  if (unsound.length > 0 && unverifiedOf(folder, files).length > 0)
    throw new Error(`files in ${folder} do not keep what is written into them`);
  for (const { name } of files) requireExecutable(join(folder, name));
  return folder;
}

/** Written beside its target and renamed, so that no process ever sees half a file, however many start at once. */
function place(file: EmbeddedFile, folder: string): void {
  const target = join(folder, file.name);
  const draft = `${target}.${randomUUID()}`;
  try {
    writeFileSync(draft, readUnpacked(file.path), { mode: LIBRARY_MODE, flag: "wx" });
    renameSync(draft, target);
  } catch (error) {
    if (existsSync(draft)) rmSync(draft, { force: true });
    // Another process may have placed it first and hold it open, which Windows does not let us replace.
    if (statSync(target, { throwIfNoEntry: false })?.size !== file.bytes) throw error;
  }
}

/** The bytes of a file, decompressed where its name ends in `.zst`. */
export function readUnpacked(path: string): Uint8Array<ArrayBuffer> {
  const bytes = readFileSync(path);
  return path.endsWith(".zst") ? zstdDecompressSync(bytes) : bytes;
}

/** A folder of ours alone in the system's temporary one, into which anyone may write. */
function privateTemporaryFolder(): string {
  const { uid, username } = userInfo();
  const folder = join(tmpdir(), `cairn-${uid === -1 ? username : uid}`);
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  return isOursAlone(folder) ? folder : passingFolder();
}

function isOursAlone(folder: string): boolean {
  try {
    requireOnlyOursToChange(folder);
    return lstatSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** One by a name that nobody can know before, for this process alone. */
function passingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
