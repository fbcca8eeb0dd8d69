import { sentence } from "../core/kernel/text.ts";
import { ProjectName } from "../core/schema/common.ts";
import { ProjectResolved } from "../core/schema/projects/project.ts";
import { ProjectError } from "../projects/folder/error.ts";
import type { Evidence } from "../projects/folder/evidence.ts";
import type { CallLocal } from "./call.ts";
import { UsageError } from "./usage.ts";

/** The project that something is done for, and what said so. */
export interface Project {
  /** The fleet of its memories. */
  readonly id: string;
  /** What it is shown as. */
  readonly name: string;
  readonly names: readonly string[];
  readonly source: string;
  /** Nothing was ever stored in it. */
  readonly is_new: boolean;
  /** Rows of its fleet that were written before may be another project's. */
  readonly unsettled_before: string | null;
}

/** What a server made of some evidence. */
export interface Answered {
  readonly project: Project | null;
  /** Where the folder's `.cairn.json` names a project that was first used from elsewhere. */
  readonly is_trusted: boolean;
  readonly warnings: readonly string[];
}

/** Asks a server which project some evidence tells of; with `save`, as something is to be stored in it. Throws Refused. */
export async function askWhich(
  call: CallLocal,
  { tenant_id, save }: { readonly tenant_id?: string | undefined; readonly save: boolean },
  evidence: Evidence,
): Promise<Answered> {
  const reply = await call("POST", "/api/v1/projects/resolve", { ...evidence, tenant_id, save });
  const { project, warnings } = ProjectResolved.parse(reply);
  return { project, is_trusted: project?.is_trusted ?? true, warnings };
}

/** The same for whoever can ask nobody. Throws ProjectError where nobody has trusted the file that names it. */
export async function askTrusted(...asked: Parameters<typeof askWhich>): Promise<Answered> {
  const answered = await askWhich(...asked);
  const [, , evidence] = asked;
  if (answered.project !== null && !answered.is_trusted) throw untrusted(answered.project, evidence);
  return answered;
}

/** Why nothing of a project is told or stored where a `.cairn.json` names it that nobody has trusted. */
export const untrusted = ({ name }: Pick<Project, "name">, { file }: Evidence): ProjectError =>
  new ProjectError(
    `${pathOf(file?.place)}/.cairn.json names project '${name}', which was first used from elsewhere: nothing of it is told or stored here before \`cairn project trust\` is run in this folder.`,
  );

/** The path of a place, without its machine. */
export const pathOf = (place = ""): string => place.slice(place.indexOf(":") + 1);

/** The name that `--project` gives. Throws UsageError for one that no project may have. */
export function projectNamed(written: string): string {
  const { data, error } = ProjectName.safeParse(written);
  if (data !== undefined) return data;
  throw new UsageError(sentence(`--project names no project: ${error?.issues[0]?.message}`));
}
