import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { nearestWord } from "../kernel/text.ts";
import type { SettingName } from "./settings.ts";
import { Config, flagOf, isSwitch, NAMES, SETTINGS, variableOf } from "./settings.ts";

export type { Config } from "./settings.ts";

/** Commands with the flags that only they know. */
const COMMAND_FLAGS = {
  serve: {},
  keys: {
    agent: { type: "string" },
    fleet: { type: "string" },
    tenant: { type: "string" },
    trust: { type: "string" },
    label: { type: "string" },
    admin: { type: "boolean" },
  },
  skills: { "dry-run": { type: "boolean" }, prune: { type: "boolean" }, fleet: { type: "string" } },
  check: {},
  rebuild: {},
  version: {},
  help: {},
} as const;
export type Command = keyof typeof COMMAND_FLAGS;
const COMMANDS = Object.keys(COMMAND_FLAGS).filter((name): name is Command => name in COMMAND_FLAGS);

/** What was asked for on the command line. */
export interface Invocation {
  readonly command: Command;
  /** Words after the command. */
  readonly words: readonly string[];
  /** Flags that only this command knows. */
  readonly options: Readonly<Record<string, string | boolean>>;
  readonly config: Config;
}

/** A start that cannot go on; the message says what to change. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export type Env = Readonly<Record<string, string | undefined>>;

/** The command and its settings from flags, then `CAIRN_*` variables, then the config file. Throws ConfigError. */
export async function loadConfig(env: Env, argv: readonly string[]): Promise<Invocation> {
  const { command, words, options, flags } = readFlags(argv);
  // Whoever asks what there is must get an answer while something is set that there is not.
  const isQuestion = command === "help" || command === "version";
  const variables = isQuestion ? {} : readVariables(env);
  const file = isQuestion ? {} : await readFile(flags.config ?? env.CAIRN_CONFIG, configHome(env));
  const home = { data: join(env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "cairn"), cache: cacheHome(env) };
  return { command, words, options, config: configOf({ ...home, ...file, ...variables, ...flags.settings }) };
}

/** The settings of a server inside another program: `values` over the defaults. Throws ConfigError. */
export function configOf(values: Values): Config {
  const parsed = Config.safeParse(values);
  if (parsed.success) return Object.freeze(parsed.data);
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new ConfigError(`These settings do not fit: ${faults.join("; ")}`);
}

const configHome = (env: Env) => join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "cairn", "config.json");
const cacheHome = (env: Env) => join(env.XDG_CACHE_HOME || join(homedir() || tmpdir(), ".cache"), "cairn");

export type Values = Partial<Record<SettingName, unknown>>;

interface Flags {
  readonly settings: Values;
  readonly config?: string;
}

function readFlags(argv: readonly string[]): Omit<Invocation, "config"> & { flags: Flags } {
  const command = commandOf(argv);
  const known = { ...SHARED_FLAGS, ...COMMAND_FLAGS[command] };
  const { values, positionals } = parse(argv, known);
  const given = new Map(Object.entries(values).flatMap(([name, value]) => checkedFlag(known, name, value)));
  const settings: Values = {};
  for (const name of NAMES) if (given.has(flagOf(name))) settings[name] = given.get(flagOf(name));
  const options = Object.fromEntries([...given].filter(([name]) => name in COMMAND_FLAGS[command]));
  const config = given.get("config");
  const asked = (["help", "version"] as const).find((question) => given.get(question)) ?? command;
  const flags = { settings, ...(typeof config === "string" ? { config } : {}) };
  return { command: asked, words: positionals.slice(1), options, flags };
}

const SHARED_FLAGS: KnownFlags = {
  ...Object.fromEntries(NAMES.map((name) => [flagOf(name), { type: isSwitch(name) ? "boolean" : "string" } as const])),
  config: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
};

const parse = (argv: readonly string[], options: KnownFlags) =>
  parseArgs({ args: [...argv], options, allowPositionals: true, allowNegative: true, strict: false });

type KnownFlags = Readonly<Record<string, { readonly type: "string" | "boolean"; readonly short?: string }>>;

function checkedFlag(known: KnownFlags, name: string, value: unknown): [string, string | boolean][] {
  const names = Object.keys(known).map((flag) => `--${flag}`);
  if (!(name in known)) throw unknownWord("flag", `--${name}`, names);
  if (typeof value === "string" || (typeof value === "boolean" && known[name]?.type === "boolean"))
    return [[name, value]];
  throw new ConfigError(`--${name} needs a value.`);
}

/** The first word that is no flag and no value of one; serving is the default. */
function commandOf(argv: readonly string[]): Command {
  const known: KnownFlags = Object.assign({}, SHARED_FLAGS, ...Object.values(COMMAND_FLAGS));
  const { values, positionals } = parse(argv, known);
  const [word = "serve"] = positionals;
  const command = COMMANDS.find((name) => name === word);
  if (command) return command;
  // A mistyped flag leaves its value behind as a word: the flag is what to complain of.
  for (const [name, value] of Object.entries(values)) checkedFlag(known, name, value);
  throw unknownWord("command", word, COMMANDS);
}

function readVariables(env: Env): Values {
  const known = [...NAMES.map(variableOf), "CAIRN_CONFIG"];
  for (const name of Object.keys(env)) {
    if (name.startsWith("CAIRN_") && !known.includes(name)) throw unknownWord("variable", name, known);
  }
  const set = NAMES.filter((name) => env[variableOf(name)] !== undefined);
  return Object.fromEntries(set.map((name) => [name, env[variableOf(name)]]));
}

/** A config file named by the caller must exist; the one at the usual place need not. */
async function readFile(named: string | undefined, usual: string): Promise<Values> {
  const file = Bun.file(named ?? usual);
  if (!(await file.exists())) {
    if (named === undefined) return {};
    throw new ConfigError(`The config file ${named} does not exist.`);
  }
  const content = await parseFile(file, named ?? usual);
  const known: readonly string[] = NAMES;
  for (const name of Object.keys(content)) if (!known.includes(name)) throw unknownWord("config key", name, known);
  return content;
}

async function parseFile(file: Bun.BunFile, path: string): Promise<Values> {
  const parsed = z.record(z.string(), z.unknown()).safeParse(await file.json().catch(() => null));
  if (parsed.success) return parsed.data;
  throw new ConfigError(`The config file ${path} is not a JSON object.`);
}

function unknownWord(kind: string, word: string, known: readonly string[]): ConfigError {
  const near = nearestWord(word, known);
  return new ConfigError(`Unknown ${kind} '${word}'.${near ? ` Did you mean '${near}'?` : ""} See cairn help.`);
}

/** The text of `cairn help`. */
export function helpText(): string {
  const lines = NAMES.map((name) => {
    const about = SETTINGS[name].description ?? "";
    return `  --${flagOf(name).padEnd(16)} ${variableOf(name).padEnd(24)} ${about}`;
  });
  return `Usage: cairn [serve] [flags]
       cairn keys create [--agent A] [--fleet F] [--trust 0..3] [--admin] [--tenant T] [--label L]
       cairn keys list [--tenant T]
       cairn keys revoke ID [--tenant T]
       cairn skills sync [--dry-run] [--prune] [--fleet F]     active skills as SKILL.md files
       cairn check | rebuild     are rows and indexes in agreement; make the indexes anew
       cairn version | help

Flag, variable, meaning (the same names as keys of config.json):\n${lines.join("\n")}\n`;
}
