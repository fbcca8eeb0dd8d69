import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { Refused } from "../../call.ts";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { readStandardInput } from "../../input.ts";
import { momentOf } from "../../moments.ts";
import { plainText } from "../../output.ts";
import { scoped } from "../../program.ts";
import { withProject } from "../../scope.ts";
import { UsageError } from "../../usage.ts";
import { tellRetired, warnOfSecret } from "./after-add.ts";
import { flags, membersOf, shareOf } from "./flags.ts";
import { changedAt, memoryCalls, seenAt, wholeId } from "./ids.ts";

interface EditOptions extends CommonOptions {
  readonly text?: string;
  readonly type?: string;
  readonly weight?: string;
  readonly status?: string;
  readonly visibility?: string;
  readonly title?: string;
  readonly validFrom?: string;
  readonly expires?: string;
  readonly source?: string;
  readonly metadata?: readonly string[];
}

/** `cairn edit`; `editor` is the command of the caller's editor. */
export function addChange(program: Command, cli: CliFactory, editor: string | null): void {
  scoped(program.command("edit"), 'cairn edit 01890a5d-ac96 --text "We deploy on Thursdays."')
    .description("change a memory; without flags in $EDITOR")
    .argument("<id>", "its id, or the beginning of it")
    .option("--text <text>", "what it says; - reads it from standard input")
    .addOption(flags.newType("its type"))
    .option("--weight <0..1>", "how important it is")
    .addOption(flags.newStatus("its status"))
    .addOption(flags.visibility("who sees it"))
    .option("--title <text>", "its title")
    .option("--valid-from <date>", "from when it holds")
    .option("--expires <date>", "when it is to be forgotten, or never")
    .option("--source <uri>", "where it is from")
    .option("--metadata <k=v...>", "members of its metadata, beside those there are")
    .action((id: string, options: EditOptions) => cli.use(options, (one) => edit(one, id, options, editor)));
}

const Memory = z.looseObject({ content: z.string(), version: z.string() });

async function edit(cli: Cli, written: string, options: EditOptions, editor: string | null): Promise<void> {
  const { out } = cli;
  const asked = {
    content: options.text === "-" ? await readStandardInput() : options.text,
    memory_type: options.type,
    weight: shareOf("--weight", options.weight),
    status: options.status,
    visibility: options.visibility,
    title: options.title,
    ts_valid_start: momentOf("--valid-from", options.validFrom, "first"),
    expires_at: options.expires === "never" ? null : momentOf("--expires", options.expires, "last"),
    source_uri: options.source,
    metadata: membersOf(options.metadata),
  };
  const id = await wholeId(cli, written);
  const isAsked = Object.values(asked).some((value) => value !== undefined);
  const reply = isAsked ? await memoryCalls(cli)("PATCH", changedAt(cli, id), asked) : await byHand(cli, id, editor);
  if (reply === null) return out.note("Nothing was changed.");
  if (out.isJson) return out.json(withProject(cli, reply));
  out.line(id);
  const { content } = Memory.parse(reply);
  out.note(`It says now: ${plainText(content)}`);
  warnOfSecret(cli, id, content);
  const isRestated = !isAsked || [asked.content, asked.ts_valid_start, asked.visibility].some(Boolean);
  if (out.isTerminal && isRestated) await tellRetired(cli, id);
}

/**
 * Lets somebody change a memory's text in an editor; null for no change. A text that is refused, also where somebody else changed
 * the memory meanwhile, is kept, and told where.
 */
async function byHand(cli: Cli, id: string, editor: string | null): Promise<unknown> {
  if (!editor || !cli.out.isTerminal)
    throw new UsageError(
      'Say what to change, as in --text "..." (see `cairn help edit`), or set $EDITOR on a terminal.',
    );
  const { content, version } = Memory.parse(await memoryCalls(cli)("GET", seenAt(cli, id)));
  const path = join(mkdtempSync(join(tmpdir(), "cairn-edit-")), "memory.md");
  writeFileSync(path, content, { mode: 0o600 });
  const code = await Bun.spawn([...editor.split(/\s+/), path], { stdio: ["inherit", "inherit", "inherit"] }).exited;
  const text = readFileSync(path, "utf8").trim();
  const isChanged = code === 0 && text !== content.trim() && text !== "";
  const reply = isChanged
    ? await cli.call("PATCH", changedAt(cli, id), { content: text }, version).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        throw new Refused(`${error.message} Your text is kept in ${path}.`, error.code, error.status, error.details);
      })
    : null;
  rmSync(dirname(path), { recursive: true, force: true });
  return reply;
}
