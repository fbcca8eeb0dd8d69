import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { nearestWord } from "./kernel/text.ts";
import type { SettingName } from "./settings.ts";
import { Config, NAMES, SETTINGS } from "./settings.ts";

export type { Config } from "./settings.ts";

export const COMMANDS = ["serve", "version", "help"] as const;
export type Command = (typeof COMMANDS)[number];

/** A start that cannot go on; the message says what to change. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export type Env = Readonly<Record<string, string | undefined>>;

/** The command and its settings from flags, then `CAIRN_*` variables, then the config file. Throws ConfigError. */
export async function loadConfig(env: Env, argv: readonly string[]): Promise<{ command: Command; config: Config }> {
  const { command, flags } = readFlags(argv);
  const variables = readVariables(env);
  const file = await readFile(flags.config ?? env.CAIRN_CONFIG, configHome(env));
  const home = { data: join(env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "cairn"), cache: cacheHome(env) };
  return { command, config: configOf({ ...home, ...file, ...variables, ...flags.settings }) };
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

export type Values = Partial<Record<SettingName | "cache", unknown>>;

function readFlags(argv: readonly string[]): { command: Command; flags: { settings: Values; config?: string } } {
  const options = Object.fromEntries(
    NAMES.map((name) => [SETTINGS[name].flag, { type: "isSwitch" in SETTINGS[name] ? "boolean" : "string" } as const]),
  );
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { ...options, config: { type: "string" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
    allowNegative: true,
    strict: false,
  });
  const known = [...Object.keys(options), "config", "help"];
  for (const name of Object.keys(values))
    if (!known.includes(name))
      throw unknownWord(
        "flag",
        `--${name}`,
        known.map((k) => `--${k}`),
      );
  const settings: Values = {};
  for (const name of NAMES) {
    const value = values[SETTINGS[name].flag];
    if (value !== undefined) settings[name] = value;
  }
  const command = values.help ? "help" : commandOf(positionals);
  return { command, flags: { settings, ...(typeof values.config === "string" ? { config: values.config } : {}) } };
}

function commandOf([word = "serve", extra]: readonly string[]): Command {
  const command = COMMANDS.find((known) => known === word);
  if (!command) throw unknownWord("command", word, COMMANDS);
  if (extra !== undefined) throw new ConfigError(`'${extra}' is one word too many after '${word}'.`);
  return command;
}

function readVariables(env: Env): Values {
  const known = [...NAMES.map((name) => SETTINGS[name].env), "CAIRN_CONFIG"];
  for (const name of Object.keys(env)) {
    if (name.startsWith("CAIRN_") && !known.includes(name)) throw unknownWord("variable", name, known);
  }
  const set = NAMES.filter((name) => env[SETTINGS[name].env] !== undefined);
  return Object.fromEntries(set.map((name) => [name, env[SETTINGS[name].env]]));
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
    const { flag, env, about } = SETTINGS[name];
    return `  --${flag.padEnd(16)} ${env.padEnd(24)} ${about}`;
  });
  return `Usage: cairn [serve|version|help] [flags]\n\nFlag, variable, meaning (the same names as keys of config.json):\n${lines.join("\n")}\n`;
}
