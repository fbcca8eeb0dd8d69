import { z } from "zod";
import { nearestWord } from "../core/kernel/text.ts";
import type { Cli } from "./connect.ts";
import { plainText } from "./output.ts";

/** Who writes and looks from a command line when nobody is named. */
export const PERSON = "cli";

/** The agent that looks: it sees its own private memories beside what all see. */
export const readerOf = ({ agent_id }: Cli): string => agent_id ?? PERSON;

/** Who changes something: whoever speaks for no agent may change what is of all. */
export const changerOf = ({ tenant_id, agent_id }: Cli): Readonly<Record<string, string>> =>
  agent_id === null ? { tenant_id } : { tenant_id, agent_id };

const AnyObject = z.looseObject({});

/** What the API answered, with the project of the command and what named it; a list stays as it is. */
export function withProject({ project }: Pick<Cli, "project">, reply: unknown): unknown {
  const object = AnyObject.safeParse(reply);
  if (!object.success) return reply;
  const { name = null, id = null, source = "no project named" } = project ?? {};
  return { ...object.data, project: name, project_id: id, project_source: source };
}

/** A project in words, with what named it. */
export const sayProject = ({ name, source }: NonNullable<Cli["project"]>): string =>
  `Project ${plainText(name)} (${source})`;

/** What is seen where a command runs: the project's own and what is for everyone, outside any what is for everyone. */
export const seenBy = ({ project }: Cli, isEverywhere = false) =>
  isEverywhere ? {} : project ? { fleet_id: project.id, with_shared: true } : { shared_only: true };

/** Whose what is written there is: the project's, outside any everyone's. */
export const ownedBy = ({ project }: Cli) => (project ? { fleet_id: project.id } : { no_fleet: true });

/** Says where a command looked. */
export function tellScope({ out, project }: Cli, isEverywhere = false): void {
  if (isEverywhere) out.note("All projects.");
  else if (project) out.note(`${sayProject(project)} and what is for everyone.`);
  else out.note("No project: what is for everyone. --all-projects looks at all, --project NAME at one.");
}

const Fleets = z.array(z.object({ fleet_id: z.string() }));

const fleetsOf = async ({ call, tenant_id }: Cli) =>
  Fleets.parse(await call("GET", `/api/v1/fleets?${new URLSearchParams({ tenant_id })}`));

/** Says where nothing was ever stored in the project that a command named, and which name is near. */
export async function tellUnknown(cli: Cli): Promise<void> {
  const { project, out } = cli;
  if (!project?.is_new) return;
  const names = (await fleetsOf(cli)).map(({ fleet_id }) => fleet_id);
  const near = project.source === "argument" ? nearestWord(project.name, names) : null;
  const asked = near === null ? "" : ` Did you mean '${plainText(near)}'?`;
  out.note(`No memory belongs to a project '${plainText(project.name)}' yet.${asked}`);
}
