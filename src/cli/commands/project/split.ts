import { ProjectList } from "../../../core/schema/projects/project.ts";
import type { Cli, CommonOptions } from "../../connect.ts";
import { momentOf } from "../../moments.ts";
import { moveAll, targetNamed, tellMoves } from "../../moving.ts";
import { plainText } from "../../output.ts";
import { UsageError } from "../../usage.ts";
import { wholeIds } from "../memory/ids.ts";
import { projectHere } from "./change.ts";

export interface SplitOptions extends CommonOptions {
  readonly to?: string;
  readonly byAgent?: string;
  readonly run?: string;
  readonly after?: string;
  readonly before?: string;
  readonly match?: string;
  readonly restStays?: boolean;
  readonly dryRun?: boolean;
}

/** `cairn project split`: moves a part of a project to another one, and ends the doubt about what is left. */
export async function split(cli: Cli, written: readonly string[], options: SplitOptions): Promise<void> {
  const { call, out, tenant_id } = cli;
  const { id, name, unsettled_before } = projectHere(cli);
  const { to, restStays = false, dryRun = false, byAgent, run, after, before, match } = options;
  if (to === undefined && !restStays) return tellDoubt(cli);
  if (to !== undefined) {
    const filter = {
      written_by: byAgent,
      run_id: run,
      created_after: momentOf("--after", after, "first"),
      // What was written since is its own beyond doubt.
      created_before: momentOf("--before", before, "last") ?? unsettled_before ?? undefined,
      match,
    };
    if (written.length === 0 && [byAgent, run, after, before, match].every((one) => one === undefined))
      throw new UsageError("Say what is the other's: ids, --by-agent, --run, --after, --before, --match, or several.");
    const target = await targetNamed(cli, to, dryRun);
    const chosen = written.length > 0 ? { ids: await wholeIds(cli, written) } : { filter: { fleet_id: id, ...filter } };
    tellMoves(cli, await moveAll(cli, chosen, target, dryRun), target, dryRun);
  }
  if (!restStays || dryRun) return;
  const reply = await call("POST", "/api/v1/projects/settle", { tenant_id, project: id });
  if (out.isJson && to === undefined) return out.json(reply);
  out.note(`What is left in ${plainText(name)} is its own.`);
}

/** Says how much may be another project's, and which these are. */
async function tellDoubt(cli: Cli): Promise<void> {
  const { call, out, tenant_id } = cli;
  const { id, name, unsettled_before } = projectHere(cli);
  const reply = ProjectList.parse(await call("GET", `/api/v1/projects?${new URLSearchParams({ tenant_id })}`));
  const listed = reply.items.find((one) => one.id === id);
  if (out.isJson) return out.json(listed ?? null);
  if (unsettled_before === null) {
    out.line(`Everything in ${plainText(name)} is its own.`);
    return out.note("cairn project split --to PROJECT --by-agent AGENT moves a part of it.");
  }
  out.line(`${listed?.unsettled_count ?? 0} memories of ${plainText(name)} may be another project's of the same name.`);
  out.note(`No hook tells them before they are placed. They are those from before ${out.date(unsettled_before)}.`);
  out.note("`cairn project split --to PROJECT` moves those of another one, with ids or by agent, run, date or text;");
  out.note(
    "`cairn project split --rest-stays` says that the rest is its own. Rules and documents stay where they are.",
  );
}
