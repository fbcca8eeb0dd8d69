import { AppError } from "../../../core/kernel/errors.ts";
import { Project, ProjectMerged } from "../../../core/schema/projects/project.ts";
import type { Cli } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { UsageError } from "../../usage.ts";
import { pathOf } from "../../which-project.ts";
import { requireSomebody, saysYes } from "../ask.ts";

const PATH = "/api/v1/projects";

/** The project that a command is about. Throws AppError outside any. */
export function projectHere({ project }: Cli): NonNullable<Cli["project"]> {
  if (project) return project;
  throw new AppError("NOT_FOUND", "This folder is of no project: --project NAME names one.");
}

/** `cairn project rename`. */
export async function rename(cli: Cli, name: string): Promise<void> {
  const { call, out, tenant_id } = cli;
  const was = projectHere(cli);
  const reply = await call("POST", `${PATH}/rename`, { tenant_id, project: was.id, name });
  if (out.isJson) return out.json(reply);
  out.line(`${plainText(was.name)} is ${plainText(Project.parse(reply).name)} now.`);
}

/** `cairn project alias`. */
export async function aliasOf(cli: Cli, alias: string, remove: boolean): Promise<void> {
  const { call, out, tenant_id } = cli;
  const { id, name } = projectHere(cli);
  const reply = await call("POST", `${PATH}/alias`, { tenant_id, project: id, alias, remove });
  if (out.isJson) return out.json(reply);
  const means = remove ? "no longer means" : "means";
  out.line(`${plainText(alias)} ${means} ${plainText(name)}.`);
}

/** `cairn project trust`: the `.cairn.json` of this folder may name its project. */
export async function trust(cli: Cli): Promise<void> {
  const { call, out, tenant_id, evidence } = cli;
  const { id, name } = projectHere(cli);
  const place = evidence?.file?.place;
  if (place === undefined) throw new UsageError("No .cairn.json names a project here: there is nothing to trust.");
  const reply = await call("POST", `${PATH}/trust`, { tenant_id, project: id, place });
  if (out.isJson) return out.json(reply);
  out.line(`${plainText(pathOf(place))} is of project ${plainText(name)}: its memories are told there.`);
}

/** `cairn project merge`: as often as the server says that more is left; broken off, the same command goes on. */
export async function merge(cli: Cli, from: string, { into, yes }: { into?: string; yes?: boolean }): Promise<void> {
  const { call, out, tenant_id } = cli;
  const target = into ?? projectHere(cli).id;
  if (!yes) {
    requireSomebody(out);
    const question = `Make ${plainText(from)} a part of ${plainText(target)}? It cannot be taken apart by itself again.`;
    if (!(await saysYes(question))) {
      process.exitCode = 1;
      return out.note("Nothing was merged.");
    }
  }
  let [moved, deleted] = [0, 0];
  for (;;) {
    const reply = ProjectMerged.parse(await call("POST", `${PATH}/merge`, { tenant_id, from, into: target }));
    moved += reply.moved;
    deleted += reply.deleted;
    if (!reply.is_done) continue;
    if (out.isJson) return out.json({ ...reply, moved, deleted });
    out.line(`${plainText(from)} is part of ${plainText(reply.project.name)} now: ${moved} moved.`);
    if (deleted > 0)
      out.note(
        `${deleted} said what ${plainText(reply.project.name)} says already, and were deleted: \`cairn list --deleted\` shows them.`,
      );
    return;
  }
}
