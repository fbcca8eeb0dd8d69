import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";

/** The project that something is done for, and what said so. */
export interface Project {
  /** Its name: the fleet of its memories. */
  readonly name: string;
  readonly source: ProjectSource;
}
export type ProjectSource = "argument" | ".cairn.json" | "git remote";

/** A project that cannot be told; the message says which file to mend. */
export class ProjectError extends Error {
  override readonly name = "ProjectError";
}

/** Names a project in its own folder: `{"project": "name"}`. */
export const PROJECT_FILE = ".cairn.json";

const NAME_MAX = 200;
const ProjectFile = z.looseObject({ project: z.string().trim().min(1).max(NAME_MAX) });

/**
 * The project of a folder: what `.cairn.json` in it or nearest above it says, else the repository that the git remote
 * `origin` (or the only one) names; null for neither. Throws ProjectError for a file that does not say it.
 */
export function projectOf(folder: string): Project | null {
  const above = [...foldersAbove(resolve(folder))];
  for (const one of above) {
    const path = join(one, PROJECT_FILE);
    const text = textOf(path);
    if (text !== null) return { name: namedIn(path, text), source: ".cairn.json" };
  }
  for (const one of above) {
    const config = gitConfigOf(one);
    if (config === null) continue;
    const name = repositoryOf(config);
    return name === null ? null : { name, source: "git remote" };
  }
  return null;
}

function* foldersAbove(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}

function namedIn(path: string, text: string): string {
  const parsed = ProjectFile.safeParse(asJson(text));
  if (parsed.success) return parsed.data.project;
  throw new ProjectError(`${path} does not name a project. Write {"project": "name"} into it.`);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The text of the git configuration of a folder that is the top of a work tree; also of linked work trees and submodules. */
function gitConfigOf(folder: string): string | null {
  const git = join(folder, ".git");
  if (isFolder(git)) return textOf(join(git, "config"));
  const named = /^gitdir:\s*(.+)$/m.exec(textOf(git) ?? "")?.[1];
  if (named === undefined) return null;
  const own = resolve(folder, named.trim());
  const common = textOf(join(own, "commondir"))?.trim();
  return textOf(join(common === undefined ? own : resolve(own, common), "config"));
}

/** `cairn` of `git@host:owner/cairn.git` and of a URL that ends in `/owner/cairn`. */
function repositoryOf(config: string): string | null {
  const remotes = [...config.matchAll(/^\s*\[remote "([^"]+)"\]([^[]*)/gm)];
  const remote = remotes.find(([, name]) => name === "origin") ?? (remotes.length === 1 ? remotes[0] : undefined);
  const url = /^\s*url\s*=\s*(.+?)\s*$/m.exec(remote?.[2] ?? "")?.[1];
  if (url === undefined) return null;
  const name = basename(
    url
      .replace(/[/\\]+$/, "")
      .replaceAll("\\", "/")
      .replace(/^[^/]*:(?!\/\/)/, ""),
  ).replace(/\.git$/, "");
  return name === "" ? null : name.slice(0, NAME_MAX);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
