import { z } from "zod";

/**
 * How a project came to be: by a name that a person or a file gave, by the repository that somebody worked in, or by memories
 * of a fleet that were there before there was a registry.
 */
export const PROJECT_ORIGINS = ["named", "repository", "legacy"] as const;

const names = () => z.array(z.string()).default([]);

/** A project as the registry of its tenant keeps it. */
export const StoredProject = z.object({
  /** The `fleet_id` of its memories; it never changes. */
  id: z.string(),
  origin: z.enum(PROJECT_ORIGINS),
  created_at: z.string(),
  /** What a person called it; null shows a part of its id. */
  name: z.string().nullable().default(null),
  /** Other names that mean it wherever a fleet is named. */
  aliases: names(),
  /** Remotes of its repositories: `host/owner/repo`. */
  remotes: names(),
  /** Ids that lie in the common git folders of its repositories. */
  kept: names(),
  /** Common git folders into which no such id could be written: `machine:/path`. */
  folders: names(),
  /** Folders whose `.cairn.json` may name it: `machine:/path`. */
  places: names(),
  /** Two repositories shared its name before there was a registry, and nobody has said yet whose memories those of that time are. */
  unsettled: z.boolean().default(false),
  /** Projects whose memories still have to become its own. */
  absorbing: names(),
});
export type StoredProject = z.infer<typeof StoredProject>;

/** All projects of a tenant that anybody has told of. A fleet that only requests name is none of them. */
export const ProjectRegistry = z.object({ projects: z.array(StoredProject).default([]) });
export type ProjectRegistry = z.infer<typeof ProjectRegistry>;

/** The project of an id, or of one of its aliases. */
export const projectOfFleet = ({ projects }: ProjectRegistry, fleet: string): StoredProject | null =>
  projects.find(({ id }) => id === fleet) ?? projects.find(({ aliases }) => aliases.includes(fleet)) ?? null;

/** What requests mean by the name of a fleet: the project that it is an alias of, else what is written. */
export const fleetMeant = (registry: ProjectRegistry, fleet: string): string =>
  projectOfFleet(registry, fleet)?.id ?? fleet;
