import type { Command } from "commander";
import { z } from "zod";
import { Agent } from "../../core/schema/account.ts";
import type { CallLocal } from "../call.ts";
import { padTo } from "../columns.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import { plainText } from "../output.ts";
import { alone, common, group } from "../program.ts";
import { hinting } from "../refusal.ts";
import { UsageError } from "../usage.ts";

const NEEDS = { noModel: true };

/** `cairn agents`: who writes here, and what each may do. */
export function addAgents(program: Command, cli: CliFactory): void {
  const agents = group(program, "agents", "who writes here, and how far each is trusted");
  alone(agents, common, (options: CommonOptions) => cli.use(options, list, NEEDS));
  common(agents.command("list"), "cairn agents list")
    .description("agents that have written")
    .option("--tenant <id>", "the tenant, where a key may choose")
    .action((options: CommonOptions) => cli.use(options, list, NEEDS));
  common(agents.command("get"), "cairn agents get claude-code")
    .description("one agent")
    .argument("<id>")
    .option("--tenant <id>", "the tenant, where a key may choose")
    .action((id: string, options: CommonOptions) => cli.use(options, (one) => get(one, id), NEEDS));
  common(agents.command("trust"), "cairn agents trust claude-code 2")
    .description("0 restricted, 1 standard, 2 reads across projects and governs, 3 administers")
    .argument("<id>")
    .argument("<level>", "0 to 3")
    .option("--tenant <id>", "the tenant, where a key may choose")
    .action((id: string, level: string, options: CommonOptions) =>
      cli.use(options, (one) => trust(one, id, level), NEEDS),
    );
}

async function list({ call, out, tenant_id }: Cli): Promise<void> {
  const items = z.array(Agent).parse(await call("GET", `/api/v1/agents?${new URLSearchParams({ tenant_id })}`));
  if (out.isJson) return out.json(items);
  if (items.length === 0) return out.note("Nobody has written yet. `cairn setup claude` lets an agent in.");
  out.table(items, [
    { title: "AGENT", value: ({ agent_id }) => plainText(agent_id) },
    { title: "TRUST", value: ({ trust_level }) => String(trust_level), isRight: true },
    { title: "PROJECT", value: ({ fleet_id }) => plainText(fleet_id ?? "") },
  ]);
}

const pathOf = ({ tenant_id }: Cli, id: string, end = ""): string =>
  `/api/v1/agents/${encodeURIComponent(id)}${end}?${new URLSearchParams({ tenant_id })}`;

const agentCalls = ({ call }: Cli): CallLocal => hinting(call, "`cairn agents list` shows who has.");

async function get(cli: Cli, id: string): Promise<void> {
  const agent = await agentCalls(cli)("GET", pathOf(cli, id));
  if (cli.out.isJson) return cli.out.json(agent);
  const fields = Object.entries(z.record(z.string(), z.unknown()).parse(agent)).filter(([, value]) => value !== null);
  cli.out.line(
    fields
      .map(
        ([name, value]) => `${padTo(name, 16)} ${plainText(typeof value === "string" ? value : JSON.stringify(value))}`,
      )
      .join("\n"),
  );
}

async function trust(cli: Cli, id: string, level: string): Promise<void> {
  if (!/^[0-3]$/.test(level)) throw new UsageError("A trust level is 0, 1, 2 or 3. See `cairn help agents`.");
  const agent = await agentCalls(cli)("PATCH", pathOf(cli, id, "/trust"), { trust_level: Number(level) });
  if (cli.out.isJson) return cli.out.json(agent);
  cli.out.line(`${plainText(id)} has trust ${level} now, and so have its keys.`);
}
