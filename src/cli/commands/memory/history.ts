import type { Command } from "commander";
import { z } from "zod";
import { AuditLog } from "../../../core/schema/account.ts";
import { ContradictionsReply } from "../../../core/schema/contradiction.ts";
import { MemoryDetail } from "../../../core/schema/memory.ts";
import { Refused } from "../../call.ts";
import { padTo } from "../../columns.ts";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import type { Output } from "../../output.ts";
import { plainText } from "../../output.ts";
import { scoped } from "../../program.ts";
import { sayRefusal } from "../../refusal.ts";
import { withProject } from "../../scope.ts";
import { memoryCalls, seenAt, wholeId } from "./ids.ts";
import { textLines, textsOf } from "./texts.ts";

/** `cairn history`. */
export function addHistory(program: Command, cli: CliFactory): void {
  scoped(program.command("history"), "cairn history 01890a5d-ac96")
    .description("what a memory replaced, what replaced it, who changed it when, and what it said before")
    .argument("<id>", "its id, or the beginning of it")
    .action((id: string, options: CommonOptions) => cli.use(options, (one) => history(one, id), { noModel: true }));
}

async function history(cli: Cli, written: string): Promise<void> {
  const { out } = cli;
  const call = memoryCalls(cli);
  const id = await wholeId(cli, written);
  const memory = await call("GET", seenAt(cli, id));
  const contradictions = await call("GET", seenAt(cli, id, "/contradictions"));
  const texts = await textsOf(cli, call, id);
  const audit = await auditOf(cli, id);
  if (out.isJson) return out.json(withProject(cli, { memory, contradictions, texts, audit: audit?.items ?? null }));
  out.line(
    [
      ...heading(out, MemoryDetail.parse(memory)),
      ...linked(ContradictionsReply.parse(contradictions)),
      ...(audit ? audit.items.toReversed().map((entry) => event(out, entry)) : []),
      ...textLines(out, id, texts),
    ].join("\n"),
  );
}

/** What was done to it; null, with the reason told, where the caller may not know. */
async function auditOf({ call, out, tenant_id }: Cli, id: string): Promise<AuditLog | null> {
  const query = new URLSearchParams({ tenant_id, target_id: id, limit: "200" });
  try {
    return AuditLog.parse(await call("GET", `/api/v1/audit-log?${query}`));
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 403) throw error;
    out.note(`Who changed it is not shown: ${sayRefusal(error)}`);
    return null;
  }
}

const heading = (out: Output, { content, id, status, created_at, agent_id }: MemoryDetail): string[] => [
  plainText(content),
  `  ${id}, ${status}, written ${out.date(created_at)} by ${plainText(agent_id)}`,
];

const RELATIONS: Readonly<Record<string, string>> = {
  supersedes: "replaced",
  superseded_by: "replaced by",
  may_supersedes: "may have changed",
  may_superseded_by: "may have changed by",
};

/** What it replaced and what replaced it, and what may have: by the detector with its rule, or by hand. */
export function linked(reply: ContradictionsReply): string[] {
  const { contradictions, possible_conflicts, superseded_by, superseded_memories } = reply;
  const judged = contradictions.map((one) => ({ ...one, id: one.memory_id, by: one.rule }));
  const known = new Set(judged.map(({ id }) => id));
  const byHand = (memory: { id: string }): boolean => !known.has(memory.id);
  const older = [superseded_by].flatMap((one) => (one && byHand(one) ? [one] : []));
  const newer = superseded_memories.filter(byHand);
  return [
    ...judged,
    ...possible_conflicts.map((one) => ({
      ...one,
      id: one.memory_id,
      direction: `may_${one.direction}`,
      by: one.rule,
    })),
    ...older.map((one) => ({ ...one, direction: "supersedes", by: "by hand" })),
    ...newer.map((one) => ({ ...one, direction: "superseded_by", by: "by hand" })),
  ].map(
    ({ direction, content_preview, id, status, by }) =>
      `  ${RELATIONS[direction]}: ${plainText(content_preview)}\n    ${id}, ${status}, ${by}`,
  );
}

type Entry = AuditLog["items"][number];
const Names = z.array(z.string());
/** Members of an audit entry that are told otherwise, or only follow from others. */
const UNTOLD: ReadonlySet<string> = new Set(["fields", "content_hash"]);

/** One line of the audit: when, what, by whom, and each value that changed. */
export function event(out: Output, { at, action, agent_id, auth_source, before, after, reason }: Entry): string {
  const changed = Object.entries(after ?? {})
    .filter(
      ([name, value]) => before !== null && !UNTOLD.has(name) && JSON.stringify(before[name]) !== JSON.stringify(value),
    )
    .map(([name, value]) => `${name} ${JSON.stringify(before?.[name] ?? null)} to ${JSON.stringify(value)}`);
  const text = Names.safeParse(after?.fields).data?.includes("content") ? ["text rewritten"] : [];
  const told = [...text, ...changed, ...(reason ? [reason] : [])].join("; ");
  const by = plainText(agent_id ?? auth_source);
  return `  ${padTo(out.date(at), 16)} ${action} by ${by}${told === "" ? "" : `: ${plainText(told)}`}`;
}
