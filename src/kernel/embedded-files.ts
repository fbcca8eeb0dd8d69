import { createHash, randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, join } from "node:path";

/** A file that travels inside the executable and must lie on disk under its own name to be used. */
export interface EmbeddedFile {
  readonly name: string;
  /** Where its bytes are read from: a path of the executable's own file system. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

// Bun mounts the files of an executable under these roots (the second one on Windows).
const EMBEDDED_ROOTS = ["/$bunfs/", "B:\\~BUN\\", "B:/~BUN/"] as const;
const DIGEST_LENGTH = 16;

/** Whether a path points inside the executable, where native loaders cannot reach it. */
export const isEmbedded = (path: string): boolean => EMBEDDED_ROOTS.some((root) => path.startsWith(root));

/** Describes one file by reading it: for small files whose digest was not computed at build time. */
export function describeFile(path: string, name = basename(path)): EmbeddedFile {
  const content = readFileSync(path);
  return { name, path, bytes: content.byteLength, sha256: createHash("sha256").update(content).digest("hex") };
}

/**
 * Copies files side by side into a folder named by their content and returns it. What is there and complete stays.
 * Uses `cacheDir`, or a private folder of the system's temporary one when that is not writable.
 */
export function extractFiles(label: string, files: readonly EmbeddedFile[], cacheDir: string): string {
  const folder = `${label}-${digestOf(files)}`;
  try {
    return fill(join(cacheDir, folder), files);
  } catch (cause) {
    return fill(join(privateTemporaryFolder(cause), folder), files);
  }
}

function digestOf(files: readonly EmbeddedFile[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file.name}:${file.sha256}\n`);
  return hash.digest("hex").slice(0, DIGEST_LENGTH);
}

function fill(folder: string, files: readonly EmbeddedFile[]): string {
  mkdirSync(folder, { recursive: true });
  for (const file of files) {
    if (!isComplete(join(folder, file.name), file.bytes)) place(file, folder);
  }
  return folder;
}

const isComplete = (path: string, bytes: number): boolean => statSync(path, { throwIfNoEntry: false })?.size === bytes;

/** Written beside its target and renamed, so that no process ever sees half a file, however many start at once. */
function place(file: EmbeddedFile, folder: string): void {
  const target = join(folder, file.name);
  const draft = `${target}.${randomUUID()}`;
  try {
    writeFileSync(draft, readFileSync(file.path), { mode: 0o755 });
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    // Another process may have placed it first and hold it open, which Windows does not let us replace.
    if (!isComplete(target, file.bytes)) throw error;
  }
}

/** Libraries are loaded from here: the folder must be ours alone, since anyone may write to the temporary one. */
function privateTemporaryFolder(cause: unknown): string {
  const { uid, username } = userInfo();
  const folder = join(tmpdir(), `cairn-${uid === -1 ? username : uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const isPrivate = uid === -1 || (found.uid === uid && (found.mode & 0o022) === 0);
  if (!found.isDirectory() || !isPrivate) {
    throw new Error(`Neither the cache folder nor ${folder} can be used to unpack native libraries.`, { cause });
  }
  return folder;
}
