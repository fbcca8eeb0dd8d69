import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { isEmbedded, placeForLibraries } from "../core/kernel/files/embedded-files.ts";
import { isOnlyOursToChange } from "../core/kernel/files/private-files.ts";
import { preview } from "../core/kernel/text.ts";
import { ConfigError, unknownWord } from "./error.ts";
import type { ServerFlags } from "./flags.ts";
import { readFlags } from "./flags.ts";
import type { SettingName } from "./settings.ts";
import { Config, flagOf, NAMES, SECRETS, variableOf } from "./settings.ts";
import { toggle } from "./values.ts";

export type { Config } from "./settings.ts";

export type Env = Readonly<Record<string, string | undefined>>;
export type Values = Partial<Record<SettingName, unknown>>;

/** Settings from one place, and how a person finds one of them there. */
interface Layer {
  readonly values: Values;
  readonly placeOf: (name: SettingName) => string;
}

/** A setting, and what said so: a flag, a variable, a config file; `default` for none. */
export type Origins = Readonly<Record<SettingName, string>>;

/** The settings from flags, then `CAIRN_*` variables, then the config file. Throws ConfigError. */
export async function loadConfig(env: Env, flags: readonly string[] | ServerFlags): Promise<Config> {
  return (await loadWithOrigins(env, flags)).config;
}

/** The same, with where each came from. */
export async function loadWithOrigins(
  env: Env,
  flags: readonly string[] | ServerFlags,
): Promise<{ readonly config: Config; readonly origins: Origins }> {
  const { settings, config: named } = "settings" in flags ? flags : readFlags(flags);
  const written: Layer = { values: settings, placeOf: (name) => `--${flagOf(name)}` };
  const layers = [await readFile(named ?? env.CAIRN_CONFIG, configHome(env)), readVariables(env), written];
  const home = {
    data: join(whole(env.XDG_DATA_HOME) ?? join(homedir(), ".local", "share"), "cairn"),
    cache: cacheHome(env),
  };
  const values: Values = Object.assign({}, home, ...layers.map((layer) => layer.values));
  const placeOf = (name: SettingName) => layers.findLast((layer) => name in layer.values)?.placeOf(name);
  const given = configOf(values, placeOf);
  const origins = Object.fromEntries(NAMES.map((name) => [name, placeOf(name) ?? "default"]));
  const isGiven = layers.some((layer) => "cache" in layer.values);
  // Safe: one entry for each of NAMES.
  return { config: isGiven ? given : withCache(given), origins: origins as Origins };
}

/** The key of CAIRN_KEY, which a client shows to whatever server it reaches; undefined for none. */
export const keyOf = ({ CAIRN_KEY }: Env): string | undefined => CAIRN_KEY || undefined;

/** The server that CAIRN_URL tells clients of, with the key of CAIRN_KEY; null where none is named. */
export function remoteOf(env: Env): { readonly url: string; readonly key?: string | undefined } | null {
  if (!env.CAIRN_URL) return null;
  // Nothing of it is repeated: it may hold a password.
  if (!/^https?:\/\//i.test(env.CAIRN_URL) || !URL.canParse(env.CAIRN_URL))
    throw new ConfigError("CAIRN_URL is no address. Write it as http://127.0.0.1:8000.");
  // Whoever copied the address of the API means its server.
  return { url: env.CAIRN_URL.replace(/(?<!\/)\/+$/, "").replace(/\/api\/v1$/i, ""), key: keyOf(env) };
}

/** Where nothing but the data folder can be written, it takes the native libraries of the executable too. */
function withCache(config: Config): Config {
  const { cache, data, ephemeral } = config;
  if (ephemeral || !isEmbedded(import.meta.path)) return config;
  return { ...config, cache: placeForLibraries([cache, join(data, "native")]) };
}

/** Whether somebody waits for a line of JSON even when the settings cannot be read. */
export function asksReadyJson(env: Env, argv: readonly string[]): boolean {
  const flag = `--${flagOf("ready_json")}`;
  const values = argv.map((word) => (word.startsWith(`${flag}=`) ? word.slice(flag.length + 1) : word === flag));
  return [...values, env[variableOf("ready_json")]].some((value) => toggle.safeParse(value).data === true);
}

/** The settings of a server inside another program: `values` over the defaults. Throws ConfigError. */
export function configOf(values: Values, placeOf: (name: SettingName) => string | undefined = () => undefined): Config {
  const parsed = Config.safeParse(values);
  if (parsed.success) return Object.freeze(parsed.data);
  const { issues } = parsed.error;
  const nameOf = (path: readonly PropertyKey[]) => NAMES.find((known) => known === path[0]);
  const faults = issues.map(({ path, message }) => {
    const name = nameOf(path);
    const place = name && placeOf(name);
    const value = name && !SECRETS.includes(name) ? shown(values[name]) : "";
    return `${path.join(".")}: ${message}${value}${place ? ` (from ${place})` : ""}`;
  });
  const isOfFlags = issues.every(({ path }) => {
    const name = nameOf(path);
    return name !== undefined && placeOf(name) === `--${flagOf(name)}`;
  });
  throw new ConfigError(`These settings do not fit: ${faults.join("; ")}`, { isOfFlags });
}

/** Characters of a value that a message repeats. */
const SHOWN_MAX = 60;
const shown = (value: unknown): string =>
  value === undefined ? "" : `, which ${preview(JSON.stringify(value), SHOWN_MAX)} is not`;

/** The XDG Base Directory Specification has relative paths ignored: they would lie in whatever folder one is in. */
const whole = (path: string | undefined): string | null => (path && isAbsolute(path) ? path : null);
const configHome = (env: Env) => join(whole(env.XDG_CONFIG_HOME) ?? join(homedir(), ".config"), "cairn", "config.json");
const cacheHome = (env: Env) => join(whole(env.XDG_CACHE_HOME) ?? join(homedir() || tmpdir(), ".cache"), "cairn");

/** Of clients, who may run where a server does: none of the server's business. */
const OF_CLIENTS = ["CAIRN_URL", "CAIRN_KEY", "CAIRN_IMPORT_KEY", "CAIRN_BINARY"];

function readVariables(env: Env): Layer {
  const known = [...NAMES.map(variableOf), "CAIRN_CONFIG"];
  for (const name of Object.keys(env)) {
    if (!name.startsWith("CAIRN_") || known.includes(name) || OF_CLIENTS.includes(name)) continue;
    throw unknownWord("variable", name, known);
  }
  const set = NAMES.filter((name) => env[variableOf(name)] !== undefined);
  return { values: Object.fromEntries(set.map((name) => [name, env[variableOf(name)]])), placeOf: variableOf };
}

/**
 * A config file named by the caller must exist; the one at the usual place need not, and counts only where nobody else can have
 * written it.
 */
async function readFile(named: string | undefined, usual: string): Promise<Layer> {
  const path = named ?? usual;
  const file = Bun.file(path);
  if (!(await file.exists())) {
    if (named === undefined) return { values: {}, placeOf: flagOf };
    throw new ConfigError(`The config file ${named} does not exist.`);
  }
  if (named === undefined && !isOnlyOursToChange(await file.stat()))
    throw new ConfigError(
      `Others than you can change ${path}. Make it yours alone (chown, chmod go-w), or say that it is meant with --config.`,
    );
  const values = await parseFile(file, path);
  const known: readonly string[] = NAMES;
  for (const name of Object.keys(values))
    if (!known.includes(name)) throw unknownWord("config key", name, known, ` in ${path}`);
  return { values, placeOf: (name) => `${name} in ${path}` };
}

async function parseFile(file: Bun.BunFile, path: string): Promise<Values> {
  const json: unknown = await file.json().catch((cause: unknown) => {
    const why = cause instanceof Error ? ` (${cause.message})` : "";
    throw new ConfigError(`The config file ${path} is not a JSON object${why}. Mend it, or move it away.`, { cause });
  });
  const parsed = z.record(z.string(), z.unknown()).safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ConfigError(`The config file ${path} is not a JSON object. Write it as {"port": 8000}.`);
}
