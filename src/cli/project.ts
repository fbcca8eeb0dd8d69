import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { ProjectName } from "../core/schema/common.ts";

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

const ProjectFile = z.looseObject({ project: ProjectName });

/**
 * The project of a folder: what `.cairn.json` in it or nearest above it says, else the repository that the git remote
 * `origin` (or the only one) names, in small letters; null for neither. Nothing above the home folder counts within it. Throws
 * ProjectError for a file that does not say it, and for a name that no project may have.
 */
export function projectOf(folder: string, home: string = homedir()): Project | null {
  const above = [...foldersAbove(resolve(folder), home)];
  for (const one of above) {
    const path = join(one, PROJECT_FILE);
    if (existsSync(path)) return { name: namedIn(path), source: ".cairn.json" };
  }
  for (const one of above) {
    const config = gitConfigOf(one);
    if (config === null) continue;
    const name = repositoryOf(config);
    if (name === null) return null;
    return namedProject(name.toLowerCase(), "git remote", `The git remote of ${one}`);
  }
  return null;
}

/** The project of a name; `from` begins the message of the ProjectError thrown for one that no project may have. */
export function namedProject(written: string, source: ProjectSource, from: string): Project {
  const parsed = ProjectName.safeParse(written);
  if (parsed.success) return { name: parsed.data, source };
  throw new ProjectError(`${from} names no project: ${parsed.error.issues[0]?.message}.`);
}

function* foldersAbove(folder: string, home: string): Generator<string> {
  const tops = [resolve(home), realPath(home)];
  for (let place = folder; ; place = dirname(place)) {
    yield place;
    if (dirname(place) === place || tops.includes(place)) return;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function namedIn(path: string): string {
  const [why, json] = readJson(path);
  const parsed = ProjectFile.safeParse(json);
  if (parsed.success) return parsed.data.project;
  throw new ProjectError(
    `${path} names no project: ${why ?? parsed.error.issues[0]?.message}. Write {"project": "name"} into it.`,
  );
}

/** What is wrong with a file of JSON, if anything, and what it holds. */
function readJson(path: string): [string | null, unknown] {
  try {
    // A pipe would keep the reader waiting for ever.
    if (!statSync(path).isFile()) return ["it is no file", undefined];
    return [null, JSON.parse(readFileSync(path, "utf8").replace(/^\ufeff/, ""))];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error), undefined];
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
  return name === "" ? null : name;
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
    if (!statSync(path).isFile()) return null;
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
