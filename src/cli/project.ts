import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { readPlain } from "../core/kernel/files/plain-files.ts";
import { describeCause } from "../core/kernel/log.ts";
import { sentence } from "../core/kernel/text.ts";
import { ProjectName } from "../core/schema/common.ts";
import { READ_MAX, remoteNameIn, repositoryAt, repositoryText } from "./repository/git-remote.ts";
import type { Person } from "./repository/person.ts";
import { found, mayFileSay } from "./repository/person.ts";
import { UsageError } from "./usage.ts";

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
 * `origin` (or the only one) names, in small letters; null for neither. Nothing above the home folder counts within it, and
 * nothing that belongs to somebody else. Throws ProjectError for a file that does not say it, and for a name that no project
 * may have.
 */
export function projectOf(folder: string, person: Person): Project | null {
  const above = [...foldersAbove(resolve(folder), person.home)];
  for (const one of above) {
    const told = projectFileIn(one, person);
    if (told) return { name: namedIn(join(one, PROJECT_FILE), told), source: ".cairn.json" };
  }
  for (const one of above) {
    const repository = repositoryAt(one, person);
    // What lies in a repository of somebody else is of no project, and so not of that of a repository around it.
    if (repository === "theirs") return null;
    const config = repository && repositoryText(repository.config);
    if (config === null) continue;
    const name = remoteNameIn(config);
    if (name === null) return null;
    return namedProject(name.toLowerCase(), "git remote", `The git remote of ${one}`);
  }
  return null;
}

/** Whether a project begins at a folder, for all that may say so to this person; "theirs" where one of somebody else does. */
export function beginsProject(folder: string, person: Person): boolean | "theirs" {
  if (projectFileIn(folder, person) !== null) return true;
  const repository = repositoryAt(folder, person);
  return repository === "theirs" ? repository : repository !== null;
}

/** The project of a name; `from` begins the message of what is thrown for one that no project may have: UsageError of an argument, else ProjectError. */
export function namedProject(written: string, source: ProjectSource, from: string): Project {
  const parsed = ProjectName.safeParse(written);
  if (parsed.success) return { name: parsed.data, source };
  const message = sentence(`${from} names no project: ${parsed.error.issues[0]?.message}`);
  throw source === "argument" ? new UsageError(message) : new ProjectError(message);
}

/** Folders that one is in which are looked at: no file system has a path of more. */
const LEVELS_MAX = 512;

function* foldersAbove(folder: string, home: string): Generator<string> {
  const tops = [resolve(home), realPath(home)];
  for (let [place, level] = [folder, 0]; level < LEVELS_MAX; place = dirname(place), level++) {
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

type Told = { readonly json: unknown } | { readonly why: string };

/** What a project file says, or why it cannot be read; null where there is none that may say anything to this person. */
function projectFileIn(folder: string, person: Person): Told | null {
  const path = join(folder, PROJECT_FILE);
  const there = found(path, lstatSync);
  if (there === null || !mayFileSay(folder, there, person)) return null;
  try {
    const { bytes, isWhole, stats } = readPlain(path, { max: READ_MAX });
    if (!mayFileSay(folder, stats, person)) return null;
    if (!isWhole) return { why: `it has more than ${READ_MAX / 1024} KiB` };
    return { json: JSON.parse(bytes.toString().replace(/^\ufeff/, "")) };
  } catch (error) {
    // What a parser says quotes what it has read, whatever that is.
    return { why: error instanceof SyntaxError ? "it is no JSON" : describeCause(error) };
  }
}

function namedIn(path: string, told: Told): string {
  const parsed = "why" in told ? null : ProjectFile.safeParse(told.json);
  if (parsed?.success) return parsed.data.project;
  const why = "why" in told ? told.why : parsed?.error.issues[0]?.message;
  throw new ProjectError(`${path} names no project: ${why}. Write {"project": "name"} into it.`);
}
