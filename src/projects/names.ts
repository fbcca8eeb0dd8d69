import { preview } from "../core/kernel/text.ts";
import { NAME_MAX } from "../core/schema/common.ts";
import type { ProjectRegistry, StoredProject } from "../core/schema/projects/registry.ts";
import { projectOfFleet } from "../core/schema/projects/registry.ts";

// What projects are called. Names differ whatever their case, as folders and repositories of one name do for people.

const folded = (name: string): string => name.toLowerCase();
const isSame = (a: string, b: string): boolean => folded(a) === folded(b);

/** The last step of a path: what a repository is called. */
export const lastStep = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The repository of a remote with its owner: a remote without its host, of a path its last two steps. */
export function ownedName(remote: string): string {
  const [host, ...steps] = remote.split("/");
  return (
    (host === "file" ? steps.slice(-2) : steps).map(plainStep).filter(Boolean).join("/").slice(-NAME_MAX) ||
    "repository"
  );
}

/** A step of a path in letters that every line shows. */
export const plainStep = (step: string): string =>
  preview(step.replace(/[^\p{L}\p{N}\p{M}._-]+/gu, "-").replace(/^-|-$/g, ""), STEP_MAX);
const STEP_MAX = 80;

/** What a project would be shown as if it were the only one. */
const wishedName = ({ id, name, remotes }: StoredProject): string =>
  name ?? lastStep(remotes[0] === undefined ? id : ownedName(remotes[0]));

/** What a project is shown as: its name, or the last step of its id, while no other project is called so; else its remote with the owner, or its id. */
export function shownName({ projects }: ProjectRegistry, project: StoredProject): string {
  const wished = wishedName(project);
  if (project.name !== null) return wished;
  const isShared = projects.some(
    (other) => other.id !== project.id && namesOf(other).some((name) => isSame(name, wished)),
  );
  if (!isShared) return wished;
  const [remote] = project.remotes;
  return project.id.includes("/") || remote === undefined ? project.id : ownedName(remote);
}

/** Every name that means a project where people name one. */
export const namesOf = (project: StoredProject): string[] => [
  ...new Set([
    ...[project.id, ...project.aliases, wishedName(project)],
    ...[...project.aliases.map(lastStep), ...project.remotes.map(ownedName)],
  ]),
];

/**
 * The projects that a person means by a name: that of an id or an alias, else all that are called so. An id of old that two
 * repositories shared means all of them.
 */
export function projectsNamed(registry: ProjectRegistry, name: string): StoredProject[] {
  const exact = projectOfFleet(registry, name);
  if (exact !== null && !exact.unsettled) return [exact];
  return registry.projects.filter((project) => namesOf(project).some((one) => isSame(one, name)));
}
