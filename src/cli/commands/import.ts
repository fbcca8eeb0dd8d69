import type { Command } from "commander";
import { FORMAT_NAMES } from "../../formats/names.ts";
import type { CliFactory } from "../connect.ts";
import { common } from "../program.ts";
import type { ImportAccess, ImportFlags } from "../transfer/import-from.ts";
import { oneOf } from "./memory/flags.ts";

const DESCRIPTION = `store what another Cairn, another tool or a folder of notes holds, beside what is here

What is here already stays as it is, what was deleted here stays deleted, and the same import again stores nothing twice: broken \
off, it goes on where it was. Ids, dates and authors are kept. The source is only read. At the end it is told how many records \
were stored, were here already, differ or were refused, with file and line; one refusal makes the exit code 1. What says what \
agents are told and may do is left out unless the source is trusted.`;

const MAP =
  "where a project of the source goes, each by a --map of its own: a project here, '.' for that of this folder, or everyone";

/** `cairn import`; what reads other formats is loaded with it, for every other command would pay for that. */
export function addImport(program: Command, cli: CliFactory, access: ImportAccess): void {
  common(program.command("import"), "cairn import notes/ --dry-run")
    .option(
      "--project <name>",
      "the project of what names none itself; else that of this folder, and outside any everyone",
    )
    .option("--no-scope", "what names no project itself is for everyone, wherever this folder is")
    .option("--map <old=new>", MAP, (one: string, before: readonly string[]) => [...before, one], [])
    .option("--agent <id>", "the author of what names none itself; else 'cli'")
    .option("--tenant <id>", "the tenant, where a key may choose")
    .description(DESCRIPTION)
    .argument("<source>", "a file, a folder, or the address of a server")
    .addOption(oneOf("--from <format>", FORMAT_NAMES.join(", "), FORMAT_NAMES).default("auto"))
    .option("--dry-run", "tell what would happen, and store nothing")
    .option("--trust-source", "of an export of Cairn: its rules, skills, agents and settings too, once they are shown")
    .option("--yes", "with --trust-source: without being asked")
    .action((source: string, options: ImportFlags) =>
      cli.use(
        options,
        async (one) => {
          const { importFrom } = await import("../transfer/import-from.ts");
          await importFrom(one, source, options, access);
        },
        { noModel: true, save: options.dryRun !== true },
      ),
    );
}
