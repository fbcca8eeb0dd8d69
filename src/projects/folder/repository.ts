import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readPlain } from "../../core/kernel/files/plain-files.ts";
import { realPath } from "./above.ts";
import type { Person } from "./person.ts";
import { found, mayRepositorySay } from "./person.ts";

/** Bytes that are read of a file of a repository. */
export const READ_MAX = 64 * 1024;

/** A repository, by one of its work trees. */
export interface Repository {
  /** Where the work tree begins. */
  readonly root: string;
  /** The git folder of this work tree alone, which holds its branch and its index. */
  readonly own: string;
  /** The git folder that all its work trees share, without links. Submodules and nested repositories have their own. */
  readonly common: string;
  readonly config: string;
  /** The folder that a path among its remotes is taken from. */
  readonly base: string;
}

/**
 * The repository whose work tree begins at a folder, also a linked work tree or a submodule; "theirs" where it belongs to
 * somebody else, so that nothing of it is read; "lost" where `.git` is a file that leads to no git folder; null where none
 * begins.
 */
export function repositoryAt(folder: string, person: Person): Repository | "theirs" | "lost" | null {
  const git = join(folder, ".git");
  const there = found(git, statSync);
  if (there === null) return null;
  if (!mayRepositorySay(folder, [git], person)) return "theirs";
  if (there.isDirectory()) return repositoryOf(folder, git, git);
  if (!there.isFile()) return null;
  const named = /^gitdir:[ \t]*(.+)/.exec(firstLineOf(git))?.[1];
  const own = named === undefined ? null : resolve(folder, named.trim());
  if (own === null || !found(own, statSync)?.isDirectory()) return "lost";
  if (!mayRepositorySay(folder, [own], person)) return "theirs";
  const common = firstLineOf(join(own, "commondir")).trim();
  return repositoryOf(folder, own, common === "" ? own : resolve(own, common));
}

function repositoryOf(root: string, own: string, shared: string): Repository {
  const common = realPath(shared);
  // Of a linked work tree the first one tells: each of them may lie elsewhere.
  const base = own === shared ? realPath(root) : basename(common) === ".git" ? dirname(common) : common;
  return { root, own, common, config: join(shared, "config"), base };
}

/** Whether git would take a `.git` folder for one: without these it goes on above. */
const isWhole = ({ common, config }: Repository): boolean =>
  found(join(common, "HEAD"), statSync) !== null || found(config, statSync)?.isFile() === true;

/** The nearest repository; a warning where it says nothing, as nothing then does for what lies in it. */
export function repositoryAbove(
  above: readonly string[],
  person: Person,
): Repository | { readonly warning: string } | null {
  for (const one of above) {
    const repository = repositoryAt(one, person);
    if (repository === "theirs")
      return {
        warning: `The repository ${one} belongs to somebody else, so it names no project. If you trust it: git config --global --add safe.directory ${one}`,
      };
    if (repository === "lost")
      return {
        warning: `${join(one, ".git")} leads to no git folder, so nothing tells which project this is. Mend it with \`git worktree repair\`, or remove it.`,
      };
    if (repository !== null && isWhole(repository)) return repository;
  }
  return null;
}

/** The text of a file of a repository; null for what is no plain file. Half a line at its end is none. */
export function repositoryText(path: string): string | null {
  try {
    const { bytes, isWhole: isAll } = readPlain(path, { max: READ_MAX, follows: true });
    const text = bytes.toString();
    return isAll ? text : text.slice(0, text.lastIndexOf("\n") + 1);
  } catch {
    return null;
  }
}

const firstLineOf = (path: string): string => repositoryText(path)?.split("\n", 1)[0] ?? "";
