import type { Person } from "./person.ts";
import { hasProjectFile } from "./project-file.ts";
import { repositoryAt } from "./repository.ts";

/** Whether a project begins at a folder, for all that may say so to this person; "theirs" where one of somebody else does. */
export function beginsProject(folder: string, person: Person): boolean | "theirs" {
  if (hasProjectFile(folder, person)) return true;
  const repository = repositoryAt(folder, person);
  return repository === "theirs" ? repository : repository !== null && repository !== "lost";
}
