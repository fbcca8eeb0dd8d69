import type { Command } from "commander";
import { z } from "zod";
import { escapedJson } from "../../core/kernel/quoting/unseen.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import { alone, common, group } from "../program.ts";
import { hinting } from "../refusal.ts";
import { UsageError } from "../usage.ts";

const NEEDS = { noModel: true };

/** `cairn settings`: what a tenant has set; `cairn config` is about the server itself. */
export function addSettings(program: Command, cli: CliFactory): void {
  const settings = group(program, "settings", "what a tenant has set: days of grace, skills, the Forge");
  alone(settings, common, (options: CommonOptions) => cli.use(options, (one) => get(one, undefined), NEEDS));
  common(settings.command("get"), "cairn settings get skills_factory.enabled")
    .description("all settings, or one")
    .argument("[name]", "its path, such as skills_factory.enabled")
    .action((name: string | undefined, options: CommonOptions) => cli.use(options, (one) => get(one, name), NEEDS));
  common(settings.command("set"), "cairn settings set skills_factory.enabled true")
    .description("change one")
    .argument("<name>", "its path, as `cairn settings get` shows it")
    .argument("<value>", "JSON, or a plain word")
    .action((name: string, value: string, options: CommonOptions) =>
      cli.use(options, (one) => set(one, name, value), NEEDS),
    );
}

const Tree = z.record(z.string(), z.unknown());
type Leaf = readonly [path: string, value: unknown];

const leavesOf = (tree: unknown, path: readonly string[] = []): Leaf[] => {
  const branch = Tree.safeParse(tree);
  if (!branch.success) return [[path.join("."), tree]];
  return Object.entries(branch.data).flatMap(([name, value]) => leavesOf(value, [...path, name]));
};

async function get({ call, out }: Cli, name: string | undefined): Promise<void> {
  const tree = await call("GET", "/api/v1/settings");
  const leaves = leavesOf(tree).filter(([path]) => name === undefined || path === name || path.startsWith(`${name}.`));
  if (leaves.length === 0) throw new UsageError(`There is no setting '${name}'. \`cairn settings get\` shows all.`);
  if (out.isJson) return out.json(name === undefined ? tree : Object.fromEntries(leaves));
  out.table(leaves, [
    { title: "SETTING", value: ([path]) => path },
    { title: "VALUE", value: ([, value]) => escapedJson(JSON.stringify(value)) },
  ]);
}

async function set({ call, out }: Cli, name: string, written: string): Promise<void> {
  const value = parsedValue(written);
  const patch = name.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
  const hint = "`cairn settings get` shows all.";
  const tree = await hinting(call, hint, "INVALID_ARGUMENTS")("PATCH", "/api/v1/settings", patch);
  if (out.isJson) return out.json(tree);
  out.line(`${name} is ${JSON.stringify(leavesOf(tree).find(([path]) => path === name)?.[1] ?? value)} now.`);
}

function parsedValue(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}
