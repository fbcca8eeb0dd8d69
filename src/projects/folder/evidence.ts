import { join, relative, resolve } from "node:path";
import { foldersAbove, realPath } from "./above.ts";
import type { Kept } from "./kept-id.ts";
import { keepId, keptFile, keptIn } from "./kept-id.ts";
import type { Person } from "./person.ts";
import type { NamedByFile } from "./project-file.ts";
import { namedByFile } from "./project-file.ts";
import { remoteOf, remoteUrlIn } from "./remote.ts";
import type { Repository } from "./repository.ts";
import { repositoryAbove, repositoryText } from "./repository.ts";

/** What says which project a folder is; a server is asked with it as it is. Places are `machine:/path`. */
export interface Evidence {
  /** By a flag or an argument; whoever is told it adds it. */
  readonly named?: string;
  /** What `.cairn.json` says, and the place of its folder: that in the first work tree, whichever one is in. */
  readonly file?: { readonly name: string; readonly place: string };
  /** The id that is kept in the repository's common git folder. */
  readonly kept?: string;
  /** The remote of the repository, by one spelling. */
  readonly remote?: string;
  /** The place of the common git folder. */
  readonly folder?: string;
  /** The folder that one is in: that of the `.cairn.json`, else where the work tree begins, else the folder itself. */
  readonly at?: string;
}

/** What a folder says, and what of it was passed over, in sentences. */
export interface Gathered {
  readonly evidence: Evidence;
  readonly warnings: readonly string[];
}

/**
 * What says which project a folder is: the nearest `.cairn.json`, else the repository that it lies in, by the id kept there, its
 * remote and its common git folder; outside of both only where it is. With `save`, a repository that keeps no id gets one.
 * Throws ProjectError for a `.cairn.json` that names no project.
 */
export function evidenceOf(folder: string, person: Person, { save }: { readonly save: boolean }): Gathered {
  const above = [...foldersAbove(realPath(resolve(folder)), person.home)];
  const [here = folder] = above;
  const file = namedByFile(above, person);
  if (file) return { evidence: ofFile(file, above.slice(above.indexOf(file.folder)), person), warnings: [] };
  const repository = repositoryAbove(above, person);
  if (repository === null || "warning" in repository)
    return { evidence: { at: placeOf(here, person) }, warnings: repository ? [repository.warning] : [] };
  return ofRepository(repository, person, save);
}

/** What a file names is the repository where it begins, and a part of it where the file lies deeper: then the rest tells nothing. */
function ofFile({ name, folder }: NamedByFile, above: readonly string[], person: Person): Evidence {
  const around = repositoryAbove(above, person);
  const at = placeOf(folder, person);
  if (around === null || "warning" in around) return { file: { name, place: at }, at };
  const place = placeOf(join(around.base, relative(around.root, folder)), person);
  const told = around.root === folder ? ofRepository(around, person, false).evidence : {};
  return { ...told, file: { name, place }, at };
}

const placeOf = (path: string, { machine }: Person): string => `${machine}:${path}`;

function ofRepository(repository: Repository, person: Person, save: boolean): Gathered {
  const { common, config, root, base } = repository;
  const url = remoteUrlIn(repositoryText(config) ?? "");
  const remote = url === null ? null : remoteOf(url, base);
  const warnings =
    url && remote === null
      ? [
          `The git remote in ${config} names no repository that can be told apart, so it is passed over. Correct its url there.`,
        ]
      : [];
  const { id, fault } = idOf({ remote, folder: common }, person, save);
  if (fault !== null) warnings.push(fault);
  return {
    evidence: {
      ...(id === null ? {} : { kept: id }),
      ...(remote === null ? {} : { remote }),
      folder: placeOf(common, person),
      at: placeOf(root, person),
    },
    warnings,
  };
}

interface Told {
  readonly id: string | null;
  readonly fault: string | null;
}

/** The id that is kept for a repository, or why that which is there is not its own. */
function idOf(now: Omit<Kept, "id">, person: Person, save: boolean): Told {
  const file = keptFile(now.folder);
  let kept = keptIn(now.folder, person);
  if (kept === null && save) {
    if (!keepId(now.folder, now)) return { id: null, fault: now.remote === null ? unkept(file) : null };
    kept = keptIn(now.folder, person);
  }
  if (kept === null) return { id: null, fault: null };
  if ("fault" in kept)
    return { id: null, fault: `${file} is passed over: ${kept.fault}. Remove it, and the next save makes a new one.` };
  return isMeantFor(kept, now, person) ? { id: kept.id, fault: null } : { id: null, fault: copied(file, kept) };
}

/**
 * Whether an id was made for this repository: it has the same path or the same remote. Without remotes it is taken along where a
 * repository is moved, and left to the first one where it is copied.
 */
function isMeantFor(kept: Kept, now: Omit<Kept, "id">, person: Person): boolean {
  if (kept.folder === now.folder) return true;
  if (kept.remote !== null || now.remote !== null) return kept.remote === now.remote;
  const first = keptIn(kept.folder, person);
  return first === null || "fault" in first || first.id !== kept.id;
}

const copied = (file: string, { folder, remote }: Kept): string =>
  `${file} came here with a copy: it was made for ${folder}${remote === null ? "" : ` (${remote})`}, so it is passed over. Remove it, and the next save makes one for this repository.`;

const unkept = (file: string): string =>
  `${file} cannot be written, so this repository is known by its path alone: moved, it is another project. Let its owner save first, or name the project in .cairn.json.`;
