import type { Command } from "commander";
import { z } from "zod";
import { KeystoneList } from "../../schema/keystone.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import { plainText } from "../output.ts";
import { group, scoped } from "../program.ts";

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
    .description("set a rule: of the project, or with --no-scope of everyone")
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

async function list({ call, out, project, tenant_id }: Cli): Promise<void> {
  const query = new URLSearchParams({ tenant_id, ...(project ? { fleet_id: project.name } : {}) });
  const reply = KeystoneList.parse(await call("GET", `/api/v1/keystones?${query}`));
  const items = Array.isArray(reply) ? reply : reply.items;
  if (out.isJson) return out.json(items);
  if (items.length === 0) return out.note("No rules yet. `cairn keystones set NAME TEXT` sets one.");
  out.table(items, [
    { title: "NAME", value: ({ doc_id }) => plainText(doc_id) },
    { title: "WEIGHT", value: ({ data }) => String(data.weight), isRight: true },
    {
      title: "BINDS",
      value: ({ data, fleet_id }) => plainText(fleet_id === null ? "everyone" : `${data.scope} ${fleet_id}`),
    },
    { title: "RULE", value: ({ data }) => plainText(`${data.title}: ${data.content}`), isWide: true },
  ]);
}

async function set(
  { call, out, project, tenant_id }: Cli,
  { name, text, options }: { name: string; text: string; options: KeystoneOptions },
): Promise<void> {
  const weight = /^\d+$/.test(options.weight ?? "") ? Number(options.weight) : options.weight;
  const bound = project ? { scope: "fleet", fleet_id: project.name } : { scope: "tenant" };
  const body = { tenant_id, doc_id: name, title: options.title ?? name, content: text, weight, ...bound };
  const reply = await call("POST", "/api/v1/keystones", body);
  if (out.isJson) return out.json(reply);
  out.line(name);
  out.note(project ? `Binds project ${plainText(project.name)} (${project.source}).` : "Binds everyone.");
}

async function remove({ call, out, tenant_id }: Cli, name: string): Promise<void> {
  const reply = await call(
    "DELETE",
    `/api/v1/keystones/${encodeURIComponent(name)}?${new URLSearchParams({ tenant_id })}`,
  );
  if (out.isJson) return out.json(reply);
  const { deleted } = z.object({ deleted: z.boolean() }).parse(reply);
  out.line(deleted ? name : "");
  if (!deleted) out.note(`There is no rule '${plainText(name)}'. \`cairn keystones list\` shows them.`);
}
