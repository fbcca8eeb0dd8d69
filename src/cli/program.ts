import type { CommanderError } from "commander";
import { Command, Option } from "commander";
import { nearestWord } from "../core/kernel/text.ts";
import type { CliFactory } from "./connect.ts";
import { print } from "./print.ts";
import { UsageError } from "./usage.ts";

/** Adds one command to the program. */
export type AddCommand = (program: Command, cli: CliFactory) => void;

/** What `cairn help` shows; one screen of 24 lines. */
export const OVERVIEW = `Usage: cairn [COMMAND] [flags]    alone it serves; cairn help COMMAND tells more

Memory      add, search, recall, list, get, edit, move, rm, restore, history,
            contradictions, project
Knowledge   docs, keystones, skills
Agents      setup (wire an agent), mcp, hook, brief, agents, keys
Server      serve, status, stop, config, settings, doctor, check, rebuild,
            backup, restore, export, import, migrate, forget, reembed
Other       completion, licenses, version, help

First steps:
  cairn                              serve on http://127.0.0.1:8000
  cairn setup claude                 let an agent use it
  cairn add "We deploy on Tuesdays"  write a memory
  cairn search "when do we release"  find it in other words

Every command takes --json, --data FOLDER and --help. They reach the server of
CAIRN_URL, else the one that runs here, else the folder; CAIRN_KEY says who.
Exit: 0 done; 1 refused, failed or faults found; 2 written wrongly; 3 no server.
`;

/** The program with its commands; nothing is parsed yet. What is written wrongly throws UsageError when it is. */
export function createProgram(cli: CliFactory, commands: readonly AddCommand[]): Command {
  const program = new Command("cairn");
  program
    .exitOverride((error) => asUsageError(error))
    .configureOutput({ writeOut: print, writeErr: () => {}, outputError: () => {} })
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .helpCommand("help [command]", "what one command takes");
  program.helpInformation = () => OVERVIEW;
  for (const add of commands) add(program, cli);
  return program;
}

/** A command of the program with the options that every one has, and an example for its help. */
export function common(command: Command, example: string): Command {
  const top = command.parent?.parent ? command.parent : command;
  return command
    .exitOverride((error) => asUsageError(error, ` ${top.name()}`, command))
    .option("--json", "the reply as JSON")
    .option("--data <folder>", "folder of the data")
    .option("--config <file>", "config file")
    .addOption(new Option("--cache <folder>").hideHelp())
    .addOption(new Option("--embedder <name>").hideHelp())
    .addHelpText("after", `\nExample:\n  ${example}`);
}

/** The same, for what is done in somebody's name and within a project. */
export function scoped(command: Command, example: string): Command {
  return common(command, example)
    .option("--project <name>", "the project; else this folder says it: see `cairn project`")
    .option("--no-scope", "no project, wherever this folder is: what is for everyone")
    .option("--agent <id>", "the agent that speaks")
    .option("--tenant <id>", "the tenant, where a key may choose");
}

/** What a project and an agent are to a command that looks at no folder for them. */
interface Narrowing {
  readonly project: string;
  readonly agent: string;
}

/** The same for what moves whole stores: only a project that is named counts, wherever the command is run. */
export function narrowed(command: Command, example: string, { project, agent }: Narrowing): Command {
  return common(command, example)
    .option("--project <name>", project)
    .addOption(new Option("--no-scope").hideHelp())
    .option("--agent <id>", agent)
    .option("--tenant <id>", "the tenant, where a key may choose");
}

/** The same, for what a harness starts, as a set-up writes it. */
export const reaching = (command: Command): Command =>
  command.option("--url <address>", "the server; else that of CAIRN_URL, or of this machine");

const SHOWN: ReadonlySet<string> = new Set(["commander.helpDisplayed", "commander.help", "commander.version"]);

/** Whether the program has printed what was asked for, and there is no more to do. */
export class Shown extends Error {
  override readonly name = "Shown";
}

/** A word under which several commands stand, such as `keys`. */
export function group(program: Command, name: string, description: string): Command {
  const command = program.command(name).description(`${description}; alone it lists them`);
  return command.exitOverride((error) => asUsageError(error, ` ${name}`));
}

/** What a group of commands does alone is a command too, of which nobody is told. */
const ALONE = "all";

/** What a group of commands does alone, with the options that `shape` gives it. A word that is none of its commands is a UsageError. */
export function alone<Options>(
  commands: Command,
  shape: (command: Command, example: string) => Command,
  work: (options: Options) => Promise<void>,
): void {
  const name = commands.name();
  shape(commands.command(ALONE, { isDefault: true, hidden: true }), `cairn ${name}`)
    .allowExcessArguments()
    .action((options: Options, { args: [word] }: Command) => {
      if (word === undefined) return work(options);
      const names = commands.commands.map((one) => one.name()).filter((one) => one !== ALONE);
      const near = nearestWord(word, names);
      const asked = near === null ? "" : ` Did you mean \`cairn ${name} ${near}\`?`;
      throw new UsageError(`There is no \`cairn ${name} ${word}\`.${asked} See \`cairn help ${name}\`.`);
    });
}

/** Flags that programs call by one name or another: how many rows are wanted. */
const SAME_FLAGS = ["--top", "--limit", "--top-k", "--count", "--max", "-n", "-k"];

/** What commander found, as a UsageError; Shown where it printed what was asked for. A flag of `command` that is meant is named. */
export function asUsageError({ code, message }: CommanderError, about = "", command?: Command): never {
  if (SHOWN.has(code)) throw new Shown(message);
  const said = message.replace(/^error: /, "").replace(/\n\(Did you mean (.*)\?\)/, ". Did you mean '$1'?");
  const unknown = code === "commander.unknownOption" ? /'(-[^'=]*)/.exec(said)?.[1] : undefined;
  const same = unknown !== undefined && SAME_FLAGS.includes(unknown) ? SAME_FLAGS : [];
  const meant = command?.options.find(({ long }) => long != null && same.includes(long))?.long;
  const hint = meant && !said.includes("Did you mean") ? `. Did you mean '${meant}'?` : "";
  const end = /[.?]$/.test(said + hint) ? "" : ".";
  throw new UsageError(`${said.charAt(0).toUpperCase()}${said.slice(1)}${hint}${end} See \`cairn help${about}\`.`);
}
