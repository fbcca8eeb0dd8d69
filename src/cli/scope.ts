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
  return { ...object.data, project: project?.name ?? null, project_source: project?.source ?? "no project named" };
}

/** A project in words, with what named it. */
export const sayProject = ({ name, source }: NonNullable<Cli["project"]>): string =>
  `Project ${plainText(name)} (${source})`;

/** Says where a command looked. */
export function tellScope({ out, project }: Cli, isEverywhere = false): void {
  if (project && isEverywhere) out.note("All projects.");
  else out.note(project ? `${sayProject(project)} and what is shared beyond it.` : "No project: all that you may see.");
}

const Fleets = z.array(z.object({ fleet_id: z.string(), memory_count: z.int() }));

const fleetsOf = async ({ call, tenant_id }: Cli) =>
  Fleets.parse(await call("GET", `/api/v1/fleets?${new URLSearchParams({ tenant_id })}`));

/** Says where nothing that was found is of the project that it holds nothing yet, and which name is near. */
export async function tellUnknown(cli: Cli, rows: readonly { fleet_id?: string | null | undefined }[]): Promise<void> {
  const { project, out } = cli;
  if (!project || rows.some((row) => row.fleet_id === project.name)) return;
  const names = (await fleetsOf(cli)).map(({ fleet_id }) => fleet_id);
  if (names.includes(project.name)) return;
  const near = nearestWord(project.name, names);
  const asked = near === null ? "" : ` Did you mean '${plainText(near)}'?`;
  out.note(`No memory belongs to a project '${plainText(project.name)}' yet.${asked}`);
}

/** Whether the project holds nothing but what was just written. */
export async function isNewProject(cli: Cli): Promise<boolean> {
  const own = (await fleetsOf(cli)).find(({ fleet_id }) => fleet_id === cli.project?.name);
  return (own?.memory_count ?? 0) <= 1;
}
