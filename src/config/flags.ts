import { parseArgs } from "node:util";
import type { Command } from "./commands.ts";
import { COMMAND_NAMES, COMMANDS, commandNamed } from "./commands.ts";
import { ConfigError, unknownWord } from "./error.ts";
import type { SettingName } from "./settings.ts";
import { flagOf, isSwitch, NAMES } from "./settings.ts";

/** The command line, read: what may be wrong with the values of settings is not looked at yet. */
export interface CommandLine {
  readonly command: Command;
  /** What help is asked about. */
  readonly topic: Command | undefined;
  /** Words after the command. */
  readonly words: readonly string[];
  /** Flags that only this command knows. */
  readonly options: Readonly<Record<string, string | boolean>>;
  readonly settings: Partial<Record<SettingName, unknown>>;
  /** The config file that is named. */
  readonly config?: string;
}

type KnownFlags = Readonly<Record<string, { readonly type: "string" | "boolean"; readonly short?: string }>>;

const SHARED_FLAGS: KnownFlags = {
  ...Object.fromEntries(NAMES.map((name) => [flagOf(name), { type: isSwitch(name) ? "boolean" : "string" } as const])),
  port: { type: "string", short: "p" },
  config: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
};

/** Reads the words of a command line. Throws ConfigError for a command or a flag that there is not. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const command = commandOf(argv);
  const known: KnownFlags = { ...SHARED_FLAGS, ...COMMANDS[command].flags };
  const { given, words } = checked(argv, known);
  const settings: Partial<Record<SettingName, unknown>> = {};
  for (const name of NAMES) if (given.has(flagOf(name))) settings[name] = given.get(flagOf(name));
  const options = Object.fromEntries([...given].filter(([name]) => name in COMMANDS[command].flags));
  const config = given.get("config");
  const asked = (["help", "version"] as const).find((question) => given.get(question)) ?? command;
  const shared = { settings, ...(typeof config === "string" ? { config } : {}) };
  if (asked !== "help") return { command: asked, topic: undefined, words: words.slice(1), options, ...shared };
  return { command: "help", topic: topicOf(command, words), words: [], options: {}, ...shared };
}

/** `cairn help keys` and `cairn keys --help` ask the same. */
function topicOf(command: Command, words: readonly string[]): Command | undefined {
  if (words[0] === undefined) return undefined;
  if (command !== "help") return command;
  const [, word] = words;
  if (word === undefined) return undefined;
  const topic = commandNamed(word);
  if (!topic) throw unknownWord("command", word, COMMAND_NAMES);
  return topic;
}

/** The first word that is no flag and no value of one; serving is the default. */
function commandOf(argv: readonly string[]): Command {
  const known: KnownFlags = Object.assign({}, SHARED_FLAGS, ...COMMAND_NAMES.map((name) => COMMANDS[name].flags));
  const [word = "serve"] = parse(argv, known).positionals;
  const command = commandNamed(word);
  if (command) return command;
  // A mistyped flag leaves its value behind as a word: the flag is what to complain of.
  checked(argv, known);
  throw unknownWord("command", word, COMMAND_NAMES);
}

const parse = (argv: readonly string[], options: KnownFlags) =>
  parseArgs({ args: [...argv], options, allowPositionals: true, allowNegative: true, strict: false, tokens: true });

function checked(argv: readonly string[], known: KnownFlags) {
  const { values, positionals, tokens } = parse(argv, known);
  const names = Object.keys(known).map((flag) => `--${flag}`);
  const given = new Map<string, string | boolean>();
  for (const [name, value] of Object.entries(values)) {
    const token = tokens.find((one) => one.kind === "option" && one.name === name);
    const written = token?.kind === "option" ? token.rawName : `--${name}`;
    if (!(name in known)) throw unknownWord("flag", written, names);
    const fits = typeof value === "string" || (typeof value === "boolean" && known[name]?.type === "boolean");
    if (!fits) throw new ConfigError(`${written} needs a value.`);
    given.set(name, value);
  }
  return { given, words: positionals };
}
