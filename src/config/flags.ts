import { parseArgs } from "node:util";
import { ConfigError, unknownWord } from "./error.ts";
import type { SettingName } from "./settings.ts";
import { flagOf, isSwitch, NAMES } from "./settings.ts";

/** The flags of a server, read: what may be wrong with the values of settings is not looked at yet. */
export interface ServerFlags {
  readonly settings: Partial<Record<SettingName, unknown>>;
  /** The config file that is named. */
  readonly config?: string;
}

type KnownFlags = Readonly<Record<string, { readonly type: "string" | "boolean"; readonly short?: string }>>;

const FLAGS: KnownFlags = {
  ...Object.fromEntries(NAMES.map((name) => [flagOf(name), { type: isSwitch(name) ? "boolean" : "string" } as const])),
  port: { type: "string", short: "p" },
  config: { type: "string" },
};

/** Reads the flags of a server. Throws ConfigError for a flag that there is not, and for a word that is none. */
export function readFlags(argv: readonly string[]): ServerFlags {
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options: FLAGS,
    allowPositionals: true,
    allowNegative: true,
    strict: false,
    tokens: true,
  });
  const given = new Map<string, string | boolean>();
  for (const [name, value] of Object.entries(values)) {
    const token = tokens.find((one) => one.kind === "option" && one.name === name);
    const written = token?.kind === "option" ? token.rawName : `--${name}`;
    if (!(name in FLAGS))
      throw unknownWord(
        "flag",
        written,
        Object.keys(FLAGS).map((flag) => `--${flag}`),
      );
    const fits = typeof value === "string" || (typeof value === "boolean" && FLAGS[name]?.type === "boolean");
    if (!fits) throw new ConfigError(`${written} needs a value.`, { code: "USAGE" });
    given.set(name, value);
  }
  const word = positionals.find((one) => one !== "serve");
  if (word !== undefined)
    throw new ConfigError(`'${word}' is one word too many: a command goes before its flags. See cairn help.`, {
      code: "USAGE",
    });
  const settings: Partial<Record<SettingName, unknown>> = {};
  for (const name of NAMES) if (given.has(flagOf(name))) settings[name] = given.get(flagOf(name));
  const config = given.get("config");
  return { settings, ...(typeof config === "string" ? { config } : {}) };
}
