import { basename } from "node:path";
import { ProjectName } from "../../core/schema/common.ts";
import { evidenceOf } from "../../projects/folder/evidence.ts";
import type { Person } from "../../projects/folder/person.ts";
import type { Server } from "./harness.ts";

/** What an entry in a project's files calls the project. */
export interface Naming {
  /** Null where the folder tells a program that is started there, so that its entry names none. */
  readonly name: string | null;
  /** Whether nothing says this name yet, so that `.cairn.json` has to. */
  readonly is_new: boolean;
}

/**
 * How an entry says which project a folder is: as its `.cairn.json` does. A repository tells it by itself to what is started in
 * it; over HTTP, where no folder is seen, it needs a name, and so does a folder that is in no repository: a file then gives
 * that name to all alike. Throws ProjectError for a `.cairn.json` that names none.
 */
export function namingIn(folder: string, person: Person, transport: Server["kind"]): Naming {
  const { file, remote, folder: repository } = evidenceOf(folder, person, { save: false }).evidence;
  if (file) return { name: file.name, is_new: false };
  if (repository !== undefined && transport === "stdio") return { name: null, is_new: false };
  return { name: nameOfRemote(remote) ?? nameOfFolder(folder), is_new: true };
}

/** A remote without its host, `owner/repo`; null where it is a path, or too long. */
function nameOfRemote(remote = ""): string | null {
  const [host, ...steps] = remote.split("/");
  return host === "file" ? null : (ProjectName.safeParse(steps.join("/")).data ?? null);
}

/** What a project is called that nothing gives a name: as its folder, in letters that every place takes. */
export function nameOfFolder(folder: string): string {
  const plain = basename(folder).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9._-]+/g, "-").replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "") || "project";
}
