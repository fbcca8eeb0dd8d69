import { isSomebodyThere, saysYes } from "../cli/commands/ask.ts";
import type { Cli, CommonOptions, Needs } from "../cli/connect.ts";
import { plainText } from "../cli/output.ts";
import { askWhich, pathOf, projectNamed, untrusted } from "../cli/which-project.ts";
import type { Gathered } from "../projects/folder/evidence.ts";
import { evidenceOf } from "../projects/folder/evidence.ts";
import { personOf } from "../projects/folder/person.ts";

type Env = Readonly<Record<string, string | undefined>>;
type Found = Pick<Cli, "project" | "evidence" | "isTrusted">;

const NONE: Found = { project: null, evidence: null, isTrusted: true };

/**
 * What says which project a command is about: the one that it names, else the folder it is run in; null for a command that asks
 * for none. Throws UsageError and ProjectError.
 */
export function evidenceFor({ project, scope }: CommonOptions, env: Env, { save = false }: Needs): Gathered | null {
  if (project !== undefined) return { evidence: { named: projectNamed(project), ...placeHere(env) }, warnings: [] };
  return scope === true ? evidenceOf(process.cwd(), personOf(env), { save }) : null;
}

/** Where a project is first named from is its folder: another one's file that names it later is asked about. */
function placeHere(env: Env): Pick<Gathered["evidence"], "at"> {
  const { machine } = personOf(env);
  return { at: `${machine}:${process.cwd()}` };
}

/** The project that the server makes of it. Throws ProjectError where nobody trusted the file that names it, Refused. */
export async function projectFor(
  cli: Pick<Cli, "call" | "tenant_id" | "out">,
  gathered: Gathered | null,
  { save = false, project: wanted }: Needs,
): Promise<Found> {
  if (gathered === null) return NONE;
  const { evidence } = gathered;
  const { project, is_trusted, warnings } = await askWhich(cli.call, { tenant_id: cli.tenant_id, save }, evidence);
  for (const warning of [...gathered.warnings, ...warnings]) cli.out.note(plainText(warning));
  if (project === null || is_trusted || wanted === "anyway") return { project, evidence, isTrusted: is_trusted };
  if (!isSomebodyThere(cli.out) || !(await isTrusted(cli, project.name, evidence))) throw untrusted(project, evidence);
  await cli.call("POST", "/api/v1/projects/trust", {
    tenant_id: cli.tenant_id,
    project: project.id,
    place: evidence.file?.place,
  });
  return { project, evidence, isTrusted: true };
}

/** Whether whoever sits there says that the folder may have the project that it names. */
function isTrusted({ out }: Pick<Cli, "out">, name: string, { file }: Gathered["evidence"]): Promise<boolean> {
  const shown = plainText(name);
  out.note(`${pathOf(file?.place)}/.cairn.json names project ${shown}, which was first used from elsewhere.`);
  out.note("Whoever wrote that file would have its memories told in this folder.");
  return saysYes(`Is this folder of project ${shown}?`);
}
