import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { readPlain } from "../../core/kernel/files/plain-files.ts";
import { gitSettings } from "./git-config.ts";
import type { Person } from "./person.ts";
import { found, mayRepositorySay } from "./person.ts";

/** Bytes that are read of a file of a repository. */
export const READ_MAX = 64 * 1024;

/** Where the configuration of a repository is; "theirs" where it belongs to somebody else, so that nothing of it is read. */
export type Repository = { readonly config: string } | "theirs";

/** The repository whose work tree begins at a folder, also a linked work tree or a submodule; null where none does. */
export function repositoryAt(folder: string, person: Person): Repository | null {
  const git = join(folder, ".git");
  const there = found(git, statSync);
  if (there === null) return null;
  if (!mayRepositorySay(folder, [git], person)) return "theirs";
  if (there.isDirectory()) return { config: join(git, "config") };
  const named = /^gitdir:[ \t]*(.+)/.exec(firstLineOf(git))?.[1];
  const own = named === undefined ? null : resolve(folder, named.trim());
  if (own === null || found(own, statSync) === null) return null;
  if (!mayRepositorySay(folder, [own], person)) return "theirs";
  const common = firstLineOf(join(own, "commondir")).trim();
  return { config: join(common === "" ? own : resolve(own, common), "config") };
}

/** What the remote `origin`, or the only one, of a git configuration is called: `cairn` of `git@host:owner/cairn.git`. */
export function remoteNameIn(config: string): string | null {
  const urls = new Map<string, string>();
  for (const { section, name, key, value } of gitSettings(config)) {
    if (section === "remote" && key === "url" && !urls.has(name)) urls.set(name, value);
  }
  const [only] = urls.size === 1 ? [...urls.values()] : [];
  return nameOfUrl(urls.get("origin") ?? only ?? "");
}

/** The last step of a URL, of `host:path` or of a path on any system, without `.git`; null where there is none. */
function nameOfUrl(url: string): string | null {
  let end = url.length;
  while (end > 0 && isSlash(url[end - 1])) end--;
  const path = url.slice(0, end).replaceAll("\\", "/");
  const start = path.includes("/") ? path.lastIndexOf("/") : path.lastIndexOf(":");
  const name = path.slice(start + 1).replace(/\.git$/, "");
  return name === "" ? null : name;
}

const isSlash = (character: string | undefined): boolean => character === "/" || character === "\\";

/** The text of a file of a repository; null for what is no plain file. Half a line at its end is none. */
export function repositoryText(path: string): string | null {
  try {
    const { bytes, isWhole } = readPlain(path, { max: READ_MAX, follows: true });
    const text = bytes.toString();
    return isWhole ? text : text.slice(0, text.lastIndexOf("\n") + 1);
  } catch {
    return null;
  }
}

const firstLineOf = (path: string): string => repositoryText(path)?.split("\n", 1)[0] ?? "";
