import { resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { counted } from "../../../core/kernel/text.ts";
import type { CallLocal } from "../../call.ts";
import { Refused } from "../../call.ts";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { scoped } from "../../program.ts";
import { sayRefusal } from "../../refusal.ts";
import { withProject } from "../../scope.ts";
import { UsageError } from "../../usage.ts";
import { requireSomebody, saysYes } from "../ask.ts";
import type { BackupFiles } from "../backup.ts";
import { sayBrought } from "../backup.ts";
import { changedAt, memoryCalls, seenAt, wholeIds } from "./ids.ts";
import { restoreText } from "./texts.ts";

interface RemoveOptions extends CommonOptions {
  readonly yes?: boolean;
  readonly erase?: boolean;
}

/** `cairn rm` and `cairn restore`, which takes ids of memories or the file of a backup: no id has a dot or a slash. */
export function addRemove(program: Command, cli: CliFactory, files: Pick<BackupFiles, "restore">): void {
  scoped(program.command("rm"), "cairn rm 01890a5d-ac96 --yes")
    .description("delete memories; `cairn restore` brings them back within the days of grace")
    .argument("<id...>", "their ids, or the beginnings of them")
    .option("--yes", "without being asked")
    .option("--erase", "for good and at once, also what is deleted already")
    .action((ids: string[], options: RemoveOptions) =>
      cli.use(options, (one) => remove(one, ids, options), { noModel: true }),
    );
  scoped(program.command("restore"), "cairn restore 01890a5d-ac96")
    .description(
      "bring deleted memories back; or what one said before an edit; or, from the file of a backup, everything",
    )
    .argument("<id...>", "their ids, or the beginnings of them (`cairn list --deleted` shows them); or a backup")
    .option("--text [which]", "what one memory said before: the last, or the one named (`cairn history ID` shows them)")
    .action(async (ids: string[], options: RestoreOptions) => {
      const [only = "", other] = ids;
      if (options.text !== undefined) {
        if (other !== undefined) throw new UsageError("--text is of one memory.");
        return cli.use(options, (one) => restoreText(one, only, options.text));
      }
      if (other === undefined && /[/\\.]/.test(only)) return restoreAll(cli, options, only, files);
      await cli.use(options, (one) => restore(one, ids), { noModel: true });
    });
}

interface RestoreOptions extends CommonOptions {
  /** True where it names none. */
  readonly text?: string | true;
}

/** Puts a backup into the data folder. */
async function restoreAll(
  cli: CliFactory,
  options: CommonOptions,
  file: string,
  files: Pick<BackupFiles, "restore">,
): Promise<void> {
  const out = cli.output(options);
  const restored = await files.restore(options, resolve(file));
  if (out.isJson) return out.json(restored);
  const { memories = 0, documents = 0 } = restored.backup.manifest.counts;
  out.line(
    `${restored.folder} holds ${counted(memories, "memory", "memories")} and ${counted(documents, "document")} of ${restored.backup.manifest.created_at}.`,
  );
  sayBrought(out, restored.brought);
  if (restored.kept) out.note(`What was there before is kept in ${restored.kept}.`);
}

/** What became of each of several memories. */
interface Outcome {
  readonly done: readonly string[];
  readonly refused: readonly { readonly id: string; readonly code: string; readonly message: string }[];
}

/** Does the same to each memory; what one is refused for is told, and the others are done. */
async function toEach(cli: Cli, ids: readonly string[], work: (call: CallLocal, id: string) => Promise<unknown>) {
  const call = memoryCalls(cli);
  const done: string[] = [];
  const refused: Outcome["refused"][number][] = [];
  for (const id of ids) {
    try {
      await work(call, id);
      done.push(id);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.push({ id, code: error.code, message: error.message });
      cli.out.note(`${id}: ${sayRefusal(error)}`);
    }
  }
  if (refused.length > 0) process.exitCode = 1;
  return { done, refused };
}

async function remove(cli: Cli, written: readonly string[], { yes, erase = false }: RemoveOptions): Promise<void> {
  const { out } = cli;
  const ids = await wholeIds(cli, written, { withDeleted: erase });
  const seen = yes ? new Map<string, string>() : await confirmed(cli, ids, erase);
  if (seen === null) {
    process.exitCode = 1;
    return out.note("Nothing was deleted.");
  }
  const { done, refused } = await toEach(cli, ids, (call, id) =>
    call("DELETE", changedAt(cli, id, "", erase ? { erase: "true" } : {}), undefined, seen.get(id)),
  );
  if (out.isJson) return out.json(withProject(cli, { deleted: done, refused, erased: erase }));
  if (done.length === 0) return;
  out.line(done.join("\n"));
  out.note(
    erase ? "Erased for good." : `To get ${done.length === 1 ? "it" : "them"} back: cairn restore ${done.join(" ")}`,
  );
}

const Shown = z.object({ content: z.string(), version: z.string() });

/**
 * The versions that somebody saw who said yes to deleting them; null for a no. Where nobody can be asked the flag is needed. Throws
 * UsageError.
 */
async function confirmed(cli: Cli, ids: readonly string[], erase: boolean): Promise<Map<string, string> | null> {
  const { call, out } = cli;
  const seen = new Map<string, string>();
  requireSomebody(out);
  for (const id of ids) {
    // A deleted one shows no text any more, and is told when its turn comes.
    const shown = Shown.safeParse(await call("GET", seenAt(cli, id)).catch(() => null)).data;
    out.note(`  ${id}  ${plainText(shown?.content ?? "")}`);
    if (shown) seen.set(id, shown.version);
  }
  const question = `${erase ? "Erase for good" : "Delete"} ${ids.length === 1 ? "it" : `these ${ids.length}`}?`;
  return (await saysYes(question)) ? seen : null;
}

const Restored = z.looseObject({ status: z.string(), content: z.string() });

async function restore(cli: Cli, written: readonly string[]): Promise<void> {
  const { out } = cli;
  const ids = await wholeIds(cli, written, { withDeleted: true });
  const replies: unknown[] = [];
  const { done, refused } = await toEach(cli, ids, async (call, id) => {
    const reply = await call("POST", changedAt(cli, id, "/restore"));
    replies.push(reply);
    const { status, content } = Restored.parse(reply);
    out.note(`Back again, ${status}: ${plainText(content)}`);
  });
  if (out.isJson) return out.json(withProject(cli, { restored: replies, refused }));
  if (done.length > 0) out.line(done.join("\n"));
}
