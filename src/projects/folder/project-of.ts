import { resolve } from "node:path";
import { sentence } from "../../core/kernel/text.ts";
import { ProjectName } from "../../core/schema/common.ts";
import { foldersAbove } from "./above.ts";
import { ProjectError } from "./error.ts";
import type { Person } from "./person.ts";
import { hasProjectFile, namedByFile } from "./project-file.ts";
import { remoteUrlIn } from "./remote.ts";
import { repositoryAt, repositoryText } from "./repository.ts";

/** The project that something is done for, and what said so. */
export interface Project {
  /** Its name: the fleet of its memories. */
  readonly name: string;
  readonly source: ProjectSource;
}
export type ProjectSource = "argument" | ".cairn.json" | "git remote";

/**
 * The project of a folder: what `.cairn.json` in it or nearest above it says, else the repository that the git remote
 * `origin` (or the only one) names, in small letters; null for neither. Nothing above the home folder counts within it, and
 * nothing that belongs to somebody else. Throws ProjectError for a file that does not say it, and for a name that no project
 * may have.
 */
export function projectOf(folder: string, person: Person): Project | null {
  const above = [...foldersAbove(resolve(folder), person.home)];
  const named = namedByFile(above, person);
  if (named) return { name: named.name, source: ".cairn.json" };
  for (const one of above) {
    const repository = repositoryAt(one, person);
    // What lies in a repository of somebody else is of no project, and so not of that of a repository around it.
    if (repository === "theirs") return null;
    if (repository === null || repository === "lost") continue;
    const config = repositoryText(repository.config);
    if (config === null) continue;
    const name = remoteNameIn(config);
    if (name === null) return null;
    return namedProject(name.toLowerCase(), "git remote", `The git remote of ${one}`);
  }
  return null;
}

/** Whether a project begins at a folder, for all that may say so to this person; "theirs" where one of somebody else does. */
export function beginsProject(folder: string, person: Person): boolean | "theirs" {
  if (hasProjectFile(folder, person)) return true;
  const repository = repositoryAt(folder, person);
  return repository === "theirs" ? repository : repository !== null && repository !== "lost";
}

/** The project of a name; `from` begins the message of the ProjectError for one that no project may have. */
export function namedProject(written: string, source: ProjectSource, from: string): Project {
  const parsed = ProjectName.safeParse(written);
  if (parsed.success) return { name: parsed.data, source };
  throw new ProjectError(sentence(`${from} names no project: ${parsed.error.issues[0]?.message}`));
}

/** What the remote `origin`, or the only one, of a git configuration is called: `cairn` of `git@host:owner/cairn.git`. */
export const remoteNameIn = (config: string): string | null => nameOfUrl(remoteUrlIn(config) ?? "");

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
