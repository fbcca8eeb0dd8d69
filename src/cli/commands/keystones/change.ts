import type { Cli, CommonOptions } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { hinting } from "../../refusal.ts";
import { sayProject, withProject } from "../../scope.ts";
import { UsageError } from "../../usage.ts";

export interface RuleOptions extends CommonOptions {
  readonly title?: string;
  readonly weight?: string;
  readonly lock?: boolean;
}

interface NewRule {
  readonly name: string;
  readonly text: string;
  readonly options: RuleOptions;
}

/** Sets a rule: of the project, of one agent in it, or of everyone. */
export async function setRule(cli: Cli, { name, text, options }: NewRule): Promise<void> {
  const { call, out, project, tenant_id } = cli;
  const { weight = "med", agent, lock } = options;
  if (agent !== undefined && !project)
    throw new UsageError("A rule of one agent binds it in a project: add --project NAME.");
  const bound = !project
    ? { scope: "tenant" }
    : agent === undefined
      ? { scope: "fleet", fleet_id: project.name }
      : { scope: "agent", fleet_id: project.name, agent_id: agent };
  const body = {
    tenant_id,
    doc_id: name,
    title: options.title ?? name,
    content: text,
    weight: /^\d+$/.test(weight) ? Number(weight) : weight,
    ...(lock === true ? { locked: true } : {}),
    ...bound,
  };
  const reply = await call("POST", "/api/v1/keystones", body);
  if (out.isJson) return out.json(withProject(cli, reply));
  out.line(name);
  if (!project) out.note("Binds everyone.");
  else out.note(`${sayProject(project)}: binds ${agent === undefined ? "whoever works in it" : plainText(agent)}.`);
}

/** Removes a rule. */
export async function removeRule(cli: Cli, name: string): Promise<void> {
  const { out, tenant_id } = cli;
  const query = new URLSearchParams({ tenant_id });
  const reply = await naming(cli)("DELETE", `/api/v1/keystones/${encodeURIComponent(name)}?${query}`);
  if (out.isJson) return out.json(withProject(cli, reply));
  out.line(name);
}

/** Locks a rule against all but administrators, or opens it again. */
export const lockRule =
  (locked: boolean) =>
  async (cli: Cli, name: string): Promise<void> => {
    const { out, tenant_id } = cli;
    const reply = await naming(cli)("POST", `/api/v1/keystones/${encodeURIComponent(name)}/lock`, {
      tenant_id,
      locked,
    });
    if (out.isJson) return out.json(reply);
    out.line(plainText(name));
    out.note(locked ? "Locked: only administrators change or remove it." : "Open to whoever may set rules.");
  };

const naming = ({ call }: Cli) => hinting(call, "`cairn keystones list` shows those there are.");
