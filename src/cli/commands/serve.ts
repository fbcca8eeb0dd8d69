import type { Command } from "commander";
import { nearestWord } from "../../core/kernel/text.ts";
import { UsageError } from "../usage.ts";

/** `cairn serve`, also what `cairn` alone does. `settings` is the text of all flags; `serve` reads them itself. */
export function addServe(
  program: Command,
  { settings, serve }: { settings: () => string; serve: (flags: readonly string[]) => Promise<void> },
): void {
  const command = program
    .command("serve", { isDefault: true })
    .usage("[flags]")
    .description("serve until a signal says stop")
    .allowUnknownOption()
    .allowExcessArguments()
    .action((_options: unknown, { args }: Command) => {
      const [word] = args;
      if (word !== undefined && !word.startsWith("-")) throw unknownCommand(program, word);
      return serve(args);
    });
  command.helpInformation = () => `Usage: cairn [serve] [flags]\n\nServes until a signal says stop.\n\n${settings()}
Example:
  cairn serve --port 8080 --data /srv/cairn
`;
}

/** What is no command is handed to the one that needs no name. */
function unknownCommand(program: Command, word: string): UsageError {
  const near = nearestWord(
    word,
    program.commands.map((one) => one.name()),
  );
  return new UsageError(`Unknown command '${word}'.${near ? ` Did you mean '${near}'?` : ""} See \`cairn help\`.`);
}
