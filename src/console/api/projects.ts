import { computed, signal } from "@preact/signals";
import { call } from "./call.ts";
import type { Fleet, Project } from "./schemas.gen.ts";

/** The projects and fleets as the server last told of them; `shell/known-projects.ts` asks it. */
export const knownProjects = signal<readonly Project[]>([]);
export const knownFleets = signal<readonly Fleet[]>([]);

/** What may be chosen where a project is: a project, or a fleet that only requests name. */
interface Choice {
  /** The `fleet_id` of what it holds. */
  readonly id: string;
  readonly name: string;
  /** Everything that means it. */
  readonly names: readonly string[];
}

/** All that there is to choose from, by name. */
export const projectChoices = computed((): readonly Choice[] => {
  const projects = knownProjects.value;
  const ids = new Set(projects.map(({ id }) => id));
  const fleets = knownFleets.value.map(({ fleet_id }) => fleet_id).filter((id) => !ids.has(id));
  const isFleet = new Set(fleets);
  return [
    // A fleet that is no project may be called as a project is shown.
    ...projects.map(({ id, name, names }) => ({ id, name: isFleet.has(name) ? id : name, names })),
    ...fleets.map((id) => ({ id, name: id, names: [id] })),
  ].sort((a, b) => a.name.localeCompare(b.name));
});

const namesById = computed(() => new Map(projectChoices.value.map(({ id, name }) => [id, name])));

/** What a fleet is shown as: the name of its project, else as it is written. */
export const nameOfFleet = (fleet_id: string): string => namesById.value.get(fleet_id) ?? fleet_id;

/** What stands in a field for a project; nothing for none. */
export const shownFleet = (fleet_id: string | null | undefined): string => (fleet_id ? nameOfFleet(fleet_id) : "");

/** The fleet that somebody means by what he typed, as far as that is known: by its id, else by a name that it alone has. */
export function knownFleet(typed: string): string | null {
  const all = projectChoices.value;
  const exact = all.find(({ id, name }) => id === typed || name === typed);
  if (exact) return exact.id;
  const folded = typed.toLowerCase();
  const [only, ...others] = all.filter(({ names }) => names.some((name) => name.toLowerCase() === folded));
  return only && others.length === 0 ? only.id : null;
}

/** The same for something that is to be stored there: a name that nobody knows makes a project. Throws CallProblem for a name that several have. */
export async function fleetToWrite(typed: string): Promise<string> {
  const known = knownFleet(typed);
  if (known !== null) return known;
  const { project } = await call("resolveProject", { body: { named: typed, save: true } });
  return project?.id ?? typed;
}
