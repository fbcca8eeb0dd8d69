import { AppError } from "../core/kernel/errors.ts";
import type { ProjectEvidence, ProjectSource } from "../core/schema/projects/project.ts";
import type { ProjectRegistry, StoredProject } from "../core/schema/projects/registry.ts";
import { projectOfFleet } from "../core/schema/projects/registry.ts";
import { lastStep, ownedName, plainStep, projectsNamed, shownName } from "./names.ts";
import type { Known } from "./with-project.ts";
import { newProject, replaced, withProject } from "./with-project.ts";

/** What is known beside the registry. */
export interface Facts extends Known {
  /** Something is to be stored. */
  readonly save: boolean;
}

/** Which project some evidence tells of. */
export interface Identity {
  readonly project: StoredProject;
  readonly source: ProjectSource;
  /** Whether it was in the registry before. */
  readonly is_known: boolean;
  readonly is_trusted: boolean;
  /** With what the evidence adds to it; the same object where it adds nothing. */
  readonly registry: ProjectRegistry;
  readonly warnings: readonly string[];
}

/**
 * Which project somebody works in: what is named, what a `.cairn.json` says, the id that lies in the repository, its remote,
 * its git folder, in this order; null outside. A remote that is new to a known repository becomes one of its project's; a
 * project that nobody knew is in the registry once something is stored. Throws CONFLICT for a name that several projects have,
 * BAD_REQUEST for one that none may have.
 */
export function identify(registry: ProjectRegistry, evidence: ProjectEvidence, facts: Facts): Identity | null {
  if (evidence.named !== undefined) return ofName(registry, evidence.named, evidence, facts);
  if (evidence.file !== undefined) return ofFile(registry, evidence.file, evidence, facts);
  return ofRepository(registry, evidence, facts);
}

function ofName(registry: ProjectRegistry, name: string, { at }: ProjectEvidence, facts: Facts): Identity {
  // What requests have stored under that very name is meant before what is only called so.
  const isFleet = facts.isHeld(name) && projectOfFleet(registry, name) === null;
  const known = isFleet ? null : oneNamed(registry, name);
  const found = { source: "argument", is_trusted: true, warnings: [] } as const;
  if (known) return { ...found, project: known, is_known: true, registry };
  requireName(name);
  const project = { ...newProject(name, "named", facts), places: at === undefined ? [] : [at] };
  return { ...found, project, is_known: false, registry: facts.save ? withProject(registry, project) : registry };
}

/** Words that mean no project where one is named. */
const RESERVED = ["everyone", "*"];

/** Throws BAD_REQUEST for a name that a new project may not have. */
export function requireName(name: string): void {
  if (RESERVED.includes(name) || /^\/|\/$/.test(name))
    throw new AppError(
      "BAD_REQUEST",
      `No project may be called '${name}': ${RESERVED.join(" and ")} mean others, and a slash stands within a name.`,
    );
}

/** The project that a name means, where one alone does. Throws CONFLICT. */
export function oneNamed(registry: ProjectRegistry, name: string): StoredProject | null {
  const [first, ...others] = projectsNamed(registry, name);
  if (first === undefined || others.length === 0) return first ?? null;
  const meant = [first, ...others].map((project) => `'${shownName(registry, project)}'`);
  throw new AppError("CONFLICT", `'${name}' may mean ${meant.join(" or ")}: name one of them.`, {
    projects: [first, ...others].map(({ id }) => id),
  });
}

function ofFile(
  registry: ProjectRegistry,
  { name, place }: { name: string; place: string },
  evidence: ProjectEvidence,
  facts: Facts,
): Identity {
  const found = { source: ".cairn.json", warnings: [] } as const;
  const known = oneNamed(registry, name);
  if (known === null) {
    requireName(name);
    // The first folder from which something is stored in it is its own: those that name it later are asked about.
    const project = withEvidence({ ...newProject(name, "named", facts), places: [place] }, registry, evidence);
    const added = facts.save ? withProject(registry, project) : registry;
    return { ...found, project, is_known: false, is_trusted: true, registry: added };
  }
  // Of what was there before the registry nobody knows which folder was first.
  const isFirst = known.origin !== "legacy" && isUnclaimed(known);
  const isOwn =
    isFirst ||
    known.places.includes(place) ||
    (evidence.kept !== undefined && known.kept.includes(evidence.kept)) ||
    (evidence.remote !== undefined && known.remotes.includes(evidence.remote));
  const claimed = isFirst && facts.save ? { ...known, places: [place] } : known;
  const project = isOwn ? withEvidence(claimed, registry, evidence) : known;
  return { ...found, project, is_known: true, is_trusted: isOwn, registry: replaced(registry, known, project) };
}

/** Whether a project has only a name, and nobody has told of a folder or a repository of it. */
const isUnclaimed = ({ places, remotes, kept, folders }: StoredProject): boolean =>
  [places, remotes, kept, folders].every((list) => list.length === 0);

function ofRepository(registry: ProjectRegistry, evidence: ProjectEvidence, facts: Facts): Identity | null {
  const { kept, remote, folder } = evidence;
  const by = (source: ProjectSource, known: StoredProject, warnings: readonly string[] = []): Identity => {
    const project = withEvidence(known, registry, evidence);
    return {
      project,
      source,
      is_known: true,
      is_trusted: true,
      registry: replaced(registry, known, project),
      warnings,
    };
  };
  const { projects } = registry;
  const ofKept = kept === undefined ? undefined : projects.find((one) => one.kept.includes(kept));
  const ofRemote = remote === undefined ? undefined : projects.find((one) => one.remotes.includes(remote));
  if (ofKept)
    return by("repository", ofKept, ofRemote && ofRemote !== ofKept ? [otherRemote(registry, ofKept, ofRemote)] : []);
  if (ofRemote) return by("git remote", ofRemote);
  const ofFolder = folder === undefined ? undefined : projects.find((one) => one.folders.includes(folder));
  if (ofFolder && (remote === undefined || ofFolder.remotes.length === 0)) return by("git folder", ofFolder);
  if (remote !== undefined) return ofNewRemote(registry, remote, evidence, facts);
  if (folder === undefined) return null;
  const id = freeId(registry, folderName(folder), facts);
  return made(registry, newProject(id, "repository", facts), "git folder", evidence, facts);
}

const otherRemote = (registry: ProjectRegistry, own: StoredProject, other: StoredProject): string =>
  `This repository is of project '${shownName(registry, own)}', by the id that it keeps, and its remote of '${shownName(registry, other)}'. ` +
  "`cairn project merge` makes one of them.";

/** A remote that nobody knows: that of a project from before there was a registry, or of a new one. */
function ofNewRemote(registry: ProjectRegistry, remote: string, evidence: ProjectEvidence, facts: Facts): Identity {
  const owned = ownedName(remote);
  const legacy = registry.projects.find(
    ({ id, origin }) => origin === "legacy" && id.toLowerCase() === lastStep(remote).toLowerCase(),
  );
  if (legacy && isUnclaimed(legacy)) {
    const project = withEvidence(legacy, registry, evidence);
    const found = { source: "git remote", is_known: true, is_trusted: true, warnings: [] } as const;
    return { ...found, project, registry: replaced(registry, legacy, project) };
  }
  // What requests have stored under its whole name is its own.
  const id = freeId(registry, owned, {
    ...facts,
    isHeld: (candidate) => candidate !== owned && facts.isHeld(candidate),
  });
  if (!legacy) return made(registry, newProject(id, "repository", facts), "git remote", evidence, facts);
  // A second repository of that name: whose those memories are has to be said.
  const shared = replaced(registry, legacy, { ...legacy, unsettled: true });
  return made(shared, newProject(id, "repository", facts), "git remote", evidence, { ...facts, save: true });
}

/** A project that nobody knew, in the registry where something is stored. */
function made(
  registry: ProjectRegistry,
  project: StoredProject,
  source: ProjectSource,
  evidence: ProjectEvidence,
  { save }: Facts,
): Identity {
  const whole = withEvidence(project, registry, evidence);
  const found = { source, is_known: false, is_trusted: true, warnings: [] } as const;
  return { ...found, project: whole, registry: save ? withProject(registry, whole) : registry };
}

/** What a repository tells of itself beside the project it is of; what is another project's stays that one's. */
function withEvidence(
  project: StoredProject,
  { projects }: ProjectRegistry,
  { kept, remote, folder }: ProjectEvidence,
): StoredProject {
  const added = (list: "kept" | "remotes" | "folders", value: string | undefined): string[] =>
    value === undefined || projects.some((one) => one[list].includes(value))
      ? project[list]
      : [...project[list], value];
  const [remotes, keptIds] = [added("remotes", remote), added("kept", kept)];
  // Where an id lies in it, the path says nothing: another repository may come to lie there.
  const folders = kept === undefined && remote === undefined ? added("folders", folder) : project.folders;
  const isSame = remotes === project.remotes && keptIds === project.kept && folders === project.folders;
  return isSame ? project : { ...project, remotes, kept: keptIds, folders };
}

/** What a repository without a remote is called: as its folder, with the folder that this lies in. */
function folderName(folder: string): string {
  const steps = folder
    .slice(folder.indexOf(":") + 1)
    .replaceAll("\\", "/")
    .replace(/\/\.git$/, "")
    .split("/")
    .map(plainStep)
    .filter(Boolean);
  return steps.slice(-2).join("/") || "repository";
}

/** Ids that a project which nobody knew may get: the wished one, else with a number behind it. */
const idsFor = (wished: string): string[] => [
  wished,
  ...Array.from({ length: NUMBERED }, (_, i) => `${wished}-${i + 2}`),
];
const NUMBERED = 24;

/** The ids of which it has to be known whether they hold anything; none where the registry tells of the project. */
export function idsInQuestion(registry: ProjectRegistry, evidence: ProjectEvidence): string[] {
  const { named, file, kept, remote, folder } = evidence;
  if (named !== undefined) return [named];
  if (file !== undefined) return [file.name];
  const isKnown = registry.projects.some(
    (one) =>
      (kept !== undefined && one.kept.includes(kept)) ||
      (remote !== undefined && one.remotes.includes(remote)) ||
      (folder !== undefined && one.folders.includes(folder) && (remote === undefined || one.remotes.length === 0)),
  );
  if (isKnown) return [];
  if (remote !== undefined) return idsFor(ownedName(remote));
  return folder === undefined ? [] : idsFor(folderName(folder));
}

/** The first of the ids for a project that is nobody's. Throws CONFLICT where all are taken. */
function freeId({ projects }: ProjectRegistry, wished: string, { isHeld }: Pick<Facts, "isHeld">): string {
  const isTaken = (id: string) => projects.some((one) => one.id === id || one.aliases.includes(id));
  const free = idsFor(wished).find((id) => !isTaken(id) && !isHeld(id));
  if (free !== undefined) return free;
  throw new AppError("CONFLICT", `There are too many projects called '${wished}'. Name this one in .cairn.json.`);
}
