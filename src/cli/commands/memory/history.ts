import type { Command } from "commander";
import { z } from "zod";
import { AuditLog } from "../../../schema/account.ts";
import { ContradictionsReply } from "../../../schema/contradiction.ts";
import { MemoryDetail } from "../../../schema/memory.ts";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { scoped } from "../../program.ts";
import { columnsOf, FIELDS, Row, wholeId } from "./rows.ts";

interface ConflictOptions extends CommonOptions {
  readonly accept?: boolean;
  readonly keep?: boolean;
}

/** `cairn history` and `cairn contradictions`. */
export function addHistory(program: Command, cli: CliFactory): void {
  scoped(program.command("history"), "cairn history 01890a5d-ac96")
    .description("what a memory replaced, what replaced it, and who changed it when")
    .argument("<id>", "its id, or the beginning of it")
    .action((id: string, options: CommonOptions) => cli.use(options, (one) => history(one, id), { noModel: true }));
  scoped(program.command("contradictions"), "cairn contradictions 01890a5d-ac96 --accept")
    .description("memories in conflict; with an id what stands against it, and the decision")
    .argument("[id]", "its id, or the beginning of it")
    .option("--accept", "it no longer holds: outdated")
    .option("--keep", "it holds nevertheless: confirmed")
    .action((id: string | undefined, options: ConflictOptions) =>
      cli.use(options, (one) => contradictions(one, id, options), { noModel: true }),
    );
}

const queryOf = ({ tenant_id }: Cli, more: Record<string, string> = {}): string =>
  String(new URLSearchParams({ tenant_id, ...more }));

async function history(cli: Cli, written: string): Promise<void> {
  const { call, out } = cli;
  const id = await wholeId(cli, written);
  const memory = MemoryDetail.parse(await call("GET", `/api/v1/memories/${id}?${queryOf(cli)}`));
  const against = ContradictionsReply.parse(await call("GET", `/api/v1/memories/${id}/contradictions?${queryOf(cli)}`));
  const { items } = AuditLog.parse(
    await call("GET", `/api/v1/audit-log?${queryOf(cli, { target_id: id, limit: "200" })}`),
  );
  if (out.isJson) return out.json({ memory, contradictions: against, audit: items });
  out.line(
    `${plainText(memory.content)}\n  ${memory.id}, ${memory.status}, written ${out.date(memory.created_at)} by ${plainText(memory.agent_id)}`,
  );
  for (const one of against.contradictions) {
    const verb = one.direction === "supersedes" ? "replaced" : "replaced by";
    out.line(`  ${verb}: ${plainText(one.content_preview)}\n    ${one.memory_id}, ${one.status}, ${one.rule}`);
  }
  for (const { at, action, agent_id, reason } of items.toReversed())
    out.line(
      `  ${out.date(at).padEnd(16)} ${action}${agent_id ? ` by ${plainText(agent_id)}` : ""}${reason ? `: ${plainText(reason)}` : ""}`,
    );
}

const Page = z.object({ items: z.array(Row) });

async function contradictions(cli: Cli, written: string | undefined, { accept, keep }: ConflictOptions): Promise<void> {
  if (written === undefined) return openConflicts(cli);
  const id = await wholeId(cli, written);
  if (accept || keep) return decide(cli, id, accept ? "outdated" : "confirmed");
  return standingAgainst(cli, id);
}

async function openConflicts(cli: Cli): Promise<void> {
  const { call, out, project } = cli;
  const more = { status: "conflicted", limit: "100", fields: FIELDS, ...(project ? { fleet_id: project.name } : {}) };
  const reply = await call("GET", `/api/v1/memories?${queryOf(cli, more)}`);
  if (out.isJson) return out.json(reply);
  const { items } = Page.parse(reply);
  out.table(items, columnsOf(cli));
  out.note(items.length === 0 ? "No conflict is open." : "`cairn contradictions ID` shows what stands against one.");
}

async function decide(cli: Cli, id: string, status: "outdated" | "confirmed"): Promise<void> {
  const reply = await cli.call("PATCH", `/api/v1/memories/${id}/status?${queryOf(cli)}`, { status });
  if (cli.out.isJson) return cli.out.json(reply);
  cli.out.line(`${id} is ${status} now.`);
}

async function standingAgainst(cli: Cli, id: string): Promise<void> {
  const { call, out } = cli;
  const reply = await call("GET", `/api/v1/memories/${id}/contradictions?${queryOf(cli)}`);
  if (out.isJson) return out.json(reply);
  const { contradictions: found, checked_at } = ContradictionsReply.parse(reply);
  for (const one of found)
    out.line(
      `${one.direction === "supersedes" ? "newer than" : "older than"}: ${plainText(one.content_preview)}\n  ${one.memory_id}, ${one.status}, ${one.rule} (${one.confidence.toFixed(2)}): "${plainText(one.spans.own.text)}" against "${plainText(one.spans.other.text)}"`,
    );
  if (found.length > 0) out.note("--accept makes it outdated, --keep confirms it.");
  else out.note(checked_at === null ? "It has not been looked at yet." : "Nothing stands against it.");
}
