import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { z } from "zod";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { scoped } from "../../program.ts";
import { UsageError } from "../../usage.ts";
import { momentOf, shareOf, wholeId } from "./rows.ts";

interface EditOptions extends CommonOptions {
  readonly text?: string;
  readonly type?: string;
  readonly weight?: string;
  readonly status?: string;
  readonly visibility?: string;
  readonly title?: string;
  readonly expires?: string;
}

interface RemoveOptions extends CommonOptions {
  readonly yes?: boolean;
  readonly erase?: boolean;
}

/** `cairn edit`, `cairn rm` and `cairn restore`; `editor` is the command of the caller's editor. */
export function addChange(program: Command, cli: CliFactory, editor: string | null): void {
  scoped(program.command("edit"), 'cairn edit 01890a5d-ac96 --text "We deploy on Thursdays."')
    .description("change a memory; without flags in $EDITOR")
    .argument("<id>", "its id, or the beginning of it")
    .option("--text <text>", "what it says")
    .option("--type <type>", "its type")
    .option("--weight <0..1>", "how important it is")
    .option("--status <status>", "active, confirmed, outdated, archived and so on")
    .option("--visibility <scope>", "scope_agent, scope_team or scope_org")
    .option("--title <text>", "its title")
    .option("--expires <date>", "when it is to be forgotten")
    .action((id: string, options: EditOptions) => cli.use(options, (one) => edit(one, id, options, editor)));
  scoped(program.command("rm"), "cairn rm 01890a5d-ac96 --yes")
    .description("delete memories; `cairn restore` brings them back within the days of grace")
    .argument("<id...>", "their ids, or the beginnings of them")
    .option("--yes", "without being asked")
    .option("--erase", "for good and at once, also what is deleted already")
    .action((ids: string[], options: RemoveOptions) =>
      cli.use(options, (one) => remove(one, ids, options), { noModel: true }),
    );
  scoped(program.command("restore"), "cairn restore 01890a5d-ac96-774b-bcce-b302099a8057")
    .description("bring back a deleted memory")
    .argument("<id>", "its whole id")
    .action((id: string, options: CommonOptions) => cli.use(options, (one) => restore(one, id)));
}

const Memory = z.looseObject({ id: z.string(), content: z.string(), status: z.string() });
const addressOf = ({ tenant_id, agent_id }: Cli, id: string, end = ""): string =>
  `/api/v1/memories/${encodeURIComponent(id)}${end}?${new URLSearchParams({ tenant_id, ...(agent_id === null ? {} : { agent_id }) })}`;

async function edit(cli: Cli, written: string, options: EditOptions, editor: string | null): Promise<void> {
  const { call, out } = cli;
  const id = await wholeId(cli, written);
  const asked = {
    content: options.text,
    memory_type: options.type,
    weight: shareOf("--weight", options.weight),
    status: options.status,
    visibility: options.visibility,
    title: options.title,
    expires_at: momentOf("--expires", options.expires),
  };
  const isAsked = Object.values(asked).some((value) => value !== undefined);
  const body = isAsked ? asked : { content: await edited(cli, id, editor) };
  if (body.content === null) return out.note("Nothing was changed.");
  const memory = Memory.parse(await call("PATCH", addressOf(cli, id), body));
  if (out.isJson) return out.json(memory);
  out.line(id);
  out.note(`It says now: ${plainText(memory.content)}`);
}

/** What somebody makes of a memory's text in an editor; null for no change. */
async function edited(cli: Cli, id: string, editor: string | null): Promise<string | null> {
  if (!editor || !cli.out.isTerminal)
    throw new UsageError(
      'Say what to change, as in --text "..." (see `cairn help edit`), or set $EDITOR on a terminal.',
    );
  const { content } = Memory.parse(await cli.call("GET", addressOf(cli, id)));
  const folder = mkdtempSync(join(tmpdir(), "cairn-edit-"));
  const path = join(folder, "memory.md");
  try {
    writeFileSync(path, content, { mode: 0o600 });
    const code = await Bun.spawn([...editor.split(/\s+/), path], { stdio: ["inherit", "inherit", "inherit"] }).exited;
    const text = readFileSync(path, "utf8").trim();
    return code !== 0 || text === content.trim() || text === "" ? null : text;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function remove(cli: Cli, written: readonly string[], { yes, erase }: RemoveOptions): Promise<void> {
  const { call, out, tenant_id, agent_id } = cli;
  const ids: string[] = [];
  for (const one of written) ids.push(await wholeId(cli, one));
  const whatFor = erase ? "Erase for good" : "Delete";
  if (!(yes || (await confirmed(cli, `${whatFor} ${ids.length === 1 ? ids[0] : `${ids.length} memories`}?`)))) {
    out.note("Nothing was deleted.");
    return;
  }
  const body = { tenant_id, ids, erase: erase === true, ...(agent_id === null ? {} : { agent_id }) };
  const reply = z.object({ deleted: z.int() }).parse(await call("POST", "/api/v1/memories/bulk-delete", body));
  if (out.isJson) out.json({ ...reply, ids });
  else out.line(ids.join("\n"));
  if (reply.deleted < ids.length) {
    out.note(`${ids.length - reply.deleted} of them were not there, or are not yours to delete.`);
    process.exitCode = 1;
  }
  if (!erase && reply.deleted > 0) out.note(`To get it back: cairn restore ${ids[0]}`);
}

/** Whether somebody says yes; where nobody can be asked the flag is needed. Throws UsageError. */
async function confirmed({ out }: Cli, question: string): Promise<boolean> {
  if (!out.isTerminal || !process.stdin.isTTY) throw new UsageError("Nobody can be asked here: add --yes.");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question} [y/N] `);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function restore(cli: Cli, id: string): Promise<void> {
  const memory = Memory.parse(await cli.call("POST", addressOf(cli, id, "/restore")));
  if (cli.out.isJson) return cli.out.json(memory);
  cli.out.line(memory.id);
  cli.out.note(`Back again, ${memory.status}: ${plainText(memory.content)}`);
}
