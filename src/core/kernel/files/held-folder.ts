import type { Stats } from "node:fs";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { AppError } from "../errors.ts";
import { isOwn, PRIVATE_FILE } from "./private-files.ts";

/**
 * A folder that is held open: what is done at the paths it gives is done in that folder, whatever comes to have its path
 * meanwhile. Where the system has no such paths (all but Linux, or no /proc is mounted) they lead through its path.
 */
export interface HeldFolder {
  /** The path that it was opened by. */
  readonly path: string;
  readonly stats: Stats;
  /** Where something of that name lies in it. */
  at(name: string): string;
  names(): string[];
  close(): void;
}

const [NO_LINK, FOLDER] = [constants.O_NOFOLLOW ?? 0, constants.O_DIRECTORY ?? 0];

/** Holds a folder open. Throws what the file system says; a link to one is never gone through unless links are followed. */
export function holdFolder(path: string, { follows }: { readonly follows: boolean }): HeldFolder {
  if (process.platform !== "linux") return byPath(path, follows);
  const descriptor = openSync(path, constants.O_RDONLY | FOLDER | (follows ? 0 : NO_LINK));
  const root = `/proc/self/fd/${descriptor}`;
  if (!existsSync(root)) {
    closeSync(descriptor);
    return byPath(path, follows);
  }
  return {
    path,
    stats: fstatSync(descriptor),
    at: (name) => join(root, name),
    names: () => readdirSync(root),
    close: () => closeSync(descriptor),
  };
}

const byPath = (path: string, follows: boolean): HeldFolder => ({
  path,
  stats: follows ? statSync(path) : lstatSync(path),
  at: (name) => join(path, name),
  names: () => readdirSync(path),
  close: () => undefined,
});

/** Holds a folder in another that is this very user's. Throws UNAVAILABLE where somebody put another there. */
export function holdOwn(folder: HeldFolder, name: string): HeldFolder {
  const made = holdFolder(folder.at(name), { follows: false });
  if (made.stats.isDirectory() && isOwn(made.stats)) return made;
  made.close();
  throw changedMeanwhile(join(folder.path, name));
}

/** Makes a file in a folder, for its owner alone, and opens it for writing. Throws where anything has that name, be it a link. */
export const makeIn = (folder: HeldFolder, name: string): number =>
  openSync(folder.at(name), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINK, PRIVATE_FILE);

/** Gives what was made in a folder its name. Throws UNAVAILABLE where it is something else that lies there before or then. */
export function nameIn(folder: HeldFolder, part: string, name: string, made: Pick<Stats, "dev" | "ino">): void {
  const isMade = (one: string): boolean => {
    const { dev, ino } = lstatSync(folder.at(one));
    return dev === made.dev && ino === made.ino;
  };
  if (!isMade(part)) throw changedMeanwhile(join(folder.path, name));
  renameSync(folder.at(part), folder.at(name));
  if (!isMade(name)) throw changedMeanwhile(join(folder.path, name));
}

const changedMeanwhile = (path: string): AppError =>
  new AppError(
    "UNAVAILABLE",
    `${path} was not written: somebody else who may write there put something else in its place. Choose a folder of your own.`,
  );
