import type { Command } from "commander";
import type { KeystoneData } from "../../core/schema/keystone.ts";
import { KeystoneList } from "../../core/schema/keystone.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import { plainText } from "../output.ts";
import { group, scoped } from "../program.ts";
import { hinting } from "../refusal.ts";
import { sayProject, withProject } from "../scope.ts";
import { UsageError } from "../usage.ts";

interface KeystoneOptions extends CommonOptions {
  readonly title?: string;
  readonly scope?: boolean;
  readonly weight?: string;
}

const NEEDS = { noModel: true };

/** `cairn keystones`: the rules that every agent is served. */
export function addKeystones(program: Command, cli: CliFactory): void {
  const keystones = group(program, "keystones", "mandatory rules, served to every agent");
  scoped(keystones.command("list"), "cairn keystones list")
    .description("the rules that bind in this project")
    .action((options: KeystoneOptions) => cli.use(options, list, NEEDS));
  scoped(keystones.command("set"), 'cairn keystones set no-force-push "Never force-push to main."')
    .description("set a rule: of the project, with --agent of one agent in it, with --no-scope of everyone")
    .argument("<name>", "short name of the rule")
    .argument("<text>", "what it says")
    .option("--title <text>", "its title; else its name")
    .option("--weight <weight>", "low, med, high or 0 to 100", "med")
    .action((name: string, text: string, options: KeystoneOptions) =>
      cli.use(options, (one) => set(one, { name, text, options }), NEEDS),
    );
  scoped(keystones.command("rm"), "cairn keystones rm no-force-push")
    .description("remove a rule")
    .argument("<name>", "its name, as `cairn keystones list` shows it")
    .action((name: string, options: KeystoneOptions) => cli.use(options, (one) => remove(one, name), NEEDS));
}

async function list({ call, out, project, agent_id, tenant_id }: Cli): Promise<void> {
  const query = new URLSearchParams({ tenant_id, ...(project ? { fleet_id: project.name } : {}) });
  if (agent_id !== null) query.set("agent_id", agent_id);
  const reply = await call("GET", `/api/v1/keystones?${query}`);
  if (out.isJson) return out.json(reply);
  const found = KeystoneList.parse(reply);
  const items = Array.isArray(found) ? found : found.items;
  if (items.length === 0) out.note("No rules yet. `cairn keystones set NAME TEXT` sets one.");
  out.table(items, [
    { title: "NAME", value: ({ doc_id }) => plainText(doc_id) },
    { title: "WEIGHT", value: ({ data }) => String(data.weight), isRight: true },
    { title: "BINDS", value: ({ data, fleet_id }) => plainText(boundBy(data, fleet_id)) },
    { title: "RULE", value: ({ data }) => plainText(`${data.title}: ${data.content}`), isWide: true },
  ]);
  out.note(project ? `${sayProject(project)} and everyone's.` : "No project: only what binds everyone.");
}

const boundBy = ({ scope, agent_id }: KeystoneData, fleet_id: string | null): string =>
  ({ tenant: "everyone", fleet: `project ${fleet_id}`, agent: `agent ${agent_id} in ${fleet_id}` })[scope];

interface NewRule {
  readonly name: string;
  readonly text: string;
  readonly options: KeystoneOptions;
}

async function set(cli: Cli, { name, text, options }: NewRule): Promise<void> {
  const { call, out, project, tenant_id } = cli;
  const { weight = "med", agent } = options;
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
    ...bound,
  };
  const reply = await call("POST", "/api/v1/keystones", body);
  if (out.isJson) return out.json(withProject(cli, reply));
  out.line(name);
  if (!project) out.note("Binds everyone.");
  else out.note(`${sayProject(project)}: binds ${agent === undefined ? "whoever works in it" : plainText(agent)}.`);
}

async function remove(cli: Cli, name: string): Promise<void> {
  const { out, tenant_id } = cli;
  const call = hinting(cli.call, "`cairn keystones list` shows those there are.");
  const query = new URLSearchParams({ tenant_id });
  const reply = await call("DELETE", `/api/v1/keystones/${encodeURIComponent(name)}?${query}`);
  if (out.isJson) return out.json(withProject(cli, reply));
  out.line(name);
}
