import { ProjectName } from "../../core/schema/common.ts";
import type { Cli } from "../connect.ts";
import { plainText } from "../output.ts";
import { UsageError } from "../usage.ts";
import { askWhich } from "../which-project.ts";

/** Where records go: a project, or null for all of them; and what said so. */
export interface Destination {
  readonly fleet_id: string | null;
  readonly why: string;
}

/** Stands for all projects where one is named, and for the project that one stands in. */
const [EVERYONE, HERE] = ["everyone", "."];

/** What looking a project up needs. */
export interface Looking extends Pick<Cli, "call" | "tenant_id"> {
  /** Nothing is stored: a project that nobody knows is not made. */
  readonly isDry: boolean;
}

/** The id of the project that a name means here. Throws Refused for one that several have. */
export async function resolved({ call, tenant_id, isDry }: Looking, name: string): Promise<string> {
  const { project } = await askWhich(call, { tenant_id, save: !isDry }, { named: name });
  return project?.id ?? name;
}

/** Where what names no project goes: to the project that the command is run in or for, else to all of them. */
export function destinationHere({ project }: Pick<Cli, "project">): Destination {
  if (project === null) return { fleet_id: null, why: "no project named" };
  return { fleet_id: project.id, why: project.source === "argument" ? "--project" : project.source };
}

/** Where the projects of a source go, as `--map old=new` says it. Throws UsageError. */
export async function mappedProjects(
  looking: Looking,
  written: readonly string[],
  here: Destination,
): Promise<ReadonlyMap<string, Destination>> {
  const mapped = new Map<string, Destination>();
  for (const one of written) {
    const at = one.lastIndexOf("=");
    const [old, wanted] = [one.slice(0, Math.max(at, 0)).trim(), one.slice(at + 1).trim()];
    if (old === "" || wanted === "")
      throw new UsageError(`--map takes old=new, as in --map web=front; not '${plainText(one)}'.`);
    if (mapped.has(old)) throw new UsageError(`--map names '${plainText(old)}' twice: say once where it goes.`);
    mapped.set(old, { fleet_id: await wantedProject(looking, wanted, here), why: "--map" });
  }
  return mapped;
}

async function wantedProject(looking: Looking, wanted: string, here: Destination): Promise<string | null> {
  if (wanted === EVERYONE) return null;
  if (wanted !== HERE) {
    const { data, error } = ProjectName.safeParse(wanted);
    if (data === undefined)
      throw new UsageError(`--map: '${plainText(wanted)}' names no project: ${error.issues[0]?.message}.`);
    return resolved(looking, data);
  }
  if (here.fleet_id !== null) return here.fleet_id;
  throw new UsageError("--map: '.' is the project of this folder, and it has none. Name it, or write everyone.");
}
