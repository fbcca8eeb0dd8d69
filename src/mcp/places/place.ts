import { z } from "zod";
import { ResolvedProject } from "../../core/schema/projects/project.ts";
import type { Ask } from "../ask.ts";
import { ToolError } from "../tool-error.ts";

/** Where a tool works: in a project, outside any, in all of them, or nobody can tell. */
export type Place =
  | {
      readonly kind: "project";
      /** The fleet that operations are given. */
      readonly id: string;
      /** What it is shown as. */
      readonly name: string;
    }
  | { readonly kind: "everyone" }
  | { readonly kind: "all" }
  | { readonly kind: "unknown"; readonly why: ToolError };

export const FOR_EVERYONE: Place = { kind: "everyone" };

/** What stands for all projects where one is named. */
export const ALL_PROJECTS = "*";

/** What it is shown as; null outside any. */
export const placeName = (place: Place): string | null =>
  place.kind === "project" ? place.name : place.kind === "all" ? ALL_PROJECTS : null;

/** Its id; null outside any, and where all are looked at. Throws ToolError where nobody can tell. */
export function projectIdOf(place: Place): string | null {
  if (place.kind === "unknown") throw place.why;
  return place.kind === "project" ? place.id : null;
}

const SHARED = { shared_only: true } as const;

/** What a search looks at: a project with what is for everyone, or that alone. */
export const searchedIn = (place: Place) =>
  place.kind === "project" ? { fleet_ids: [place.id] } : place.kind === "all" ? {} : SHARED;

/** The same of a list. */
export const listedIn = (place: Place) =>
  place.kind === "project" ? { fleet_id: place.id, with_shared: true } : place.kind === "all" ? {} : SHARED;

/** What is counted: what a project has of its own, or what is for everyone. */
export const countedIn = (place: Place) =>
  place.kind === "project" ? { fleet_id: place.id } : place.kind === "all" ? {} : SHARED;

/** Whose something new is. Throws ToolError where nobody can tell, and where all projects are named. */
export function writtenIn(place: Place): { readonly fleet_id?: string; readonly no_fleet?: true } {
  if (place.kind === "unknown") throw place.why;
  if (place.kind === "project") return { fleet_id: place.id };
  if (place.kind === "everyone") return { no_fleet: true };
  throw new ToolError(
    "INVALID_ARGUMENTS",
    `project "${ALL_PROJECTS}" only looks at all projects: name one to save in, or none to save for everyone.`,
    { argument: "project" },
  );
}

const Resolved = z.object({ project: ResolvedProject.pick({ id: true, name: true }) });

/**
 * The project of a name; one that nobody knows is called what it is named, and is made where something is to be saved in it.
 * Throws ToolError for a name that several have.
 */
export async function placeNamed(ask: Ask, named: string, save: boolean): Promise<Place> {
  if (named === ALL_PROJECTS) return { kind: "all" };
  const { project } = Resolved.parse(await ask("resolveProject", { body: { named, save } }));
  return { kind: "project", ...project };
}
