import type { Stats } from "node:fs";
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { PRIVATE_FOLDER } from "../../core/kernel/files/private-files.ts";
import { Unreadable } from "./error.ts";

/** The folder that files lie in, and whose they are. */
export interface Place {
  /**
   * "own": a person's own settings, which may be links to where that person keeps them. "repository": others write it, so that
   * nothing in it is followed as a link.
   */
  readonly kind: "own" | "repository";
  readonly root: string;
}

/** What a set-up writes into. No backup of a file of a repository stays in it: one folder of Cairn's own takes them. */
export type Ground = Place & ({ readonly kind: "own" } | { readonly kind: "repository"; readonly backups: string });

/** The rights of new folders that others read, whatever this process would give. */
const SHARED_FOLDER = 0o755;

/** The rights of new files. */
export const modeIn = ({ kind }: Place): number => (kind === "repository" ? 0o644 : 0o600);

/** Throws Unreadable where a folder between the root of a repository and a file of it is none, but a link. */
export function requireWithin(file: string, place: Place): void {
  if (place.kind === "own") return;
  for (const folder of foldersTo(file, place.root)) {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (!stats) return;
    if (!stats.isDirectory())
      throw new Unreadable(`${folder} is ${stats.isSymbolicLink() ? "a link" : "no folder"}${NOT_FOLLOWED}`);
  }
  const folder = dirname(file);
  if (realpathSync(folder) !== join(realpathSync(place.root), relative(place.root, folder)))
    throw new Unreadable(`its folder is reached through a link${NOT_FOLLOWED}`);
}

const NOT_FOLLOWED = ", and links in a repository are not followed";

/** Throws Unreadable for a file of a repository that has another name elsewhere: what is in it may be from there. */
export function requireOneName({ nlink }: Stats, { kind }: Place): void {
  if (kind === "repository" && nlink > 1)
    throw new Unreadable("it has another name somewhere else (a hard link): replace it by a copy first");
}

/** Makes the folder of a file. Returns the first that was not there; null where all were. Throws Unreadable. */
export function makeFolderOf(file: string, place: Place): string | null {
  if (place.kind === "own") return mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER }) ?? null;
  requireWithin(file, place);
  const missing = foldersTo(file, place.root).filter((folder) => !lstatSync(folder, { throwIfNoEntry: false }));
  // One by one: made at once, those above would be gone through where they have become links.
  for (const folder of missing) mkdirSync(folder, { mode: SHARED_FOLDER });
  requireWithin(file, place);
  return missing[0] ?? null;
}

/** The folders from below the root down to the one that holds a file. */
function foldersTo(file: string, root: string): string[] {
  const steps = relative(root, dirname(file)).split(sep).filter(Boolean);
  return steps.map((_, i) => join(root, ...steps.slice(0, i + 1)));
}
