import type { Command } from "commander";
import { FORMAT_NAMES } from "../../formats/names.ts";
import type { CliFactory } from "../connect.ts";
import { scoped } from "../program.ts";
import type { ImportAccess, ImportFlags } from "../transfer/import-from.ts";

/** `cairn import`; what reads other formats is loaded with it, for every other command would pay for that. */
export function addImport(program: Command, cli: CliFactory, access: ImportAccess): void {
  scoped(program.command("import"), "cairn import notes/ --dry-run")
    .description("what another Cairn, another tool or a folder of notes holds; what is there already stays")
    .argument("<source>", "a file, a folder, or the address of a server")
    .option("--from <format>", FORMAT_NAMES.join(", "), "auto")
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
        { noModel: true },
      ),
    );
}
