import type { Dirent, Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { toTimestamp } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import { openArchive } from "./archives/open.ts";
import type { Source, SourceFile } from "./reader.ts";
import type { Found } from "./utf8.ts";
import { readLines, readText } from "./utf8.ts";

/** Files of a folder that one import reads. */
const FILES_MAX = 100_000;
/** Folders that hold what others wrote. */
const NOT_READ: ReadonlySet<string> = new Set(["node_modules", "__MACOSX"]);
/** Hidden files that are meant to be read all the same: instructions to agents. */
const READ_HIDDEN: ReadonlySet<string> = new Set([".cursorrules", ".windsurfrules", ".clinerules", ".goosehints"]);

/**
 * Opens a file, the files that an archive (zip, gzip) holds, or a folder with the files below it, for reading. Hidden files and folders, `node_modules` and links are left
 * out, unless they are what is named. Throws AppError BAD_REQUEST for what is not there, cannot be read, or is too much.
 */
export async function openSource(path: string): Promise<Source> {
  const named = resolve(path);
  const [root, found] = await naming(path, async () => [await realpath(named), await stat(named)] as const);
  const name = basename(named);
  if (found.isFile()) return { name, folder: dirname(root), files: await filesOfFile(root, name, found) };
  if (!found.isDirectory()) throw new AppError("BAD_REQUEST", `${path} is neither a file nor a folder.`);
  const files = await filesBelow(root, path);
  if (files.length === 0) throw new AppError("BAD_REQUEST", `${path} holds no files (hidden ones are not read).`);
  return { name, folder: root, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

async function filesBelow(root: string, named: string): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const here = folder;
    const entries = await naming(join(named, here), () => readdir(join(root, here), { withFileTypes: true }));
    folders.push(...entries.filter(isFolderToRead).map(({ name }) => below(here, name)));
    const paths = entries.filter(isFileToRead).map(({ name }) => below(here, name));
    files.push(...(await Promise.all(paths.map((path) => fileBelow(root, path)))));
    if (files.length > FILES_MAX)
      throw new AppError("BAD_REQUEST", `${named} holds more than ${FILES_MAX} files: import its folders one by one.`);
  }
  return files;
}

const below = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
/** A link is neither, and so never leads out of the folder. */
const isFolderToRead = (entry: Dirent): boolean => entry.isDirectory() && isRead(entry.name, false);
const isFileToRead = (entry: Dirent): boolean => entry.isFile() && isRead(entry.name, true);

const fileBelow = async (root: string, path: string): Promise<SourceFile> =>
  sourceFile({ at: join(root, path), path, within: root }, await naming(path, () => stat(join(root, path))));

/** A file, or what it holds where it is an archive. */
async function filesOfFile(at: string, name: string, found: Stats): Promise<SourceFile[]> {
  const archive = { at, name, changed_at: changedAt(found) };
  const unpacked = await naming(name, () => openArchive(archive));
  if (unpacked === null) return [sourceFile({ at, path: name, within: dirname(at) }, found)];
  const files = unpacked.filter(({ path }) =>
    path.split("/").every((part, i, parts) => isRead(part, i === parts.length - 1)),
  );
  if (files.length === 0) throw new AppError("BAD_REQUEST", `${name} holds no files (hidden ones are not read).`);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether a folder or file of this name is read. */
const isRead = (name: string, isFile: boolean): boolean =>
  isFile ? !name.startsWith(".") || READ_HIDDEN.has(name) : !name.startsWith(".") && !NOT_READ.has(name);

const changedAt = ({ mtimeMs }: Stats): string => toTimestamp(Math.floor(mtimeMs));

const sourceFile = (file: Found, found: Stats): SourceFile => ({
  path: file.path,
  changed_at: changedAt(found),
  text: () => naming(file.path, () => readText(file)),
  lines: () => namingEach(file.path, readLines(file)),
});

/** Runs what reads a file or folder; a refusal of the system says which one it was. */
async function naming<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw refusal(path, error);
  }
}

async function* namingEach(path: string, lines: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    throw refusal(path, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "is not there",
  EACCES: "may not be read by this user",
  EPERM: "may not be read by this user",
  ENAMETOOLONG: "has too long a name",
  ELOOP: "is a link to itself",
};

function refusal(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || error instanceof AppError) return error;
  const reason = REASONS[String(error.code)] ?? `cannot be read: ${error.message}`;
  return new AppError("BAD_REQUEST", `${path} ${reason}.`, undefined, { cause: error });
}
