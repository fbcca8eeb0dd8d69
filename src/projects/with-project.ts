import type { ProjectRegistry, StoredProject } from "../core/schema/projects/registry.ts";
import { projectOfFleet } from "../core/schema/projects/registry.ts";

/** What is known beside the registry. */
export interface Known {
  /** Whether a fleet holds anything. */
  readonly isHeld: (fleet_id: string) => boolean;
  /** The moment, as a timestamp. */
  readonly now: string;
}

/** A project of which nothing is known but its id. */
export const newProject = (
  id: string,
  origin: StoredProject["origin"],
  { now }: Pick<Known, "now">,
): StoredProject => ({
  id,
  origin,
  created_at: now,
  name: null,
  ...{ aliases: [], remotes: [], kept: [], folders: [], places: [], absorbing: [] },
  unsettled: false,
});

/** The registry with a project of a name under which requests alone have stored something: that is meant before what is only called so. */
export const withFleet = (registry: ProjectRegistry, name: string, facts: Known): ProjectRegistry =>
  facts.isHeld(name) && projectOfFleet(registry, name) === null
    ? withProject(registry, newProject(name, "named", facts))
    : registry;

export const withProject = ({ projects }: ProjectRegistry, project: StoredProject): ProjectRegistry => ({
  projects: [...projects, project],
});

/** The registry with another project in the place of one; the same where it is no other. */
export const replaced = (registry: ProjectRegistry, was: StoredProject, is: StoredProject): ProjectRegistry =>
  was === is ? registry : { projects: registry.projects.map((one) => (one === was ? is : one)) };
