import { z } from "zod";
import { flagOf, NAMES, SETTINGS, variableOf } from "./settings.ts";

/** All settings of a server, a line each: flag, variable, meaning, and what it is when nobody says. */
export function settingsText(): string {
  const lines = NAMES.map((name) => {
    const left = `  --${flagOf(name).padEnd(21)} ${variableOf(name).padEnd(27)}`;
    return `${left} ${SETTINGS[name].description ?? ""}${defaultText(SETTINGS[name])}`;
  });
  return `Flag, variable, meaning (the same names as keys of the config file):
${lines.join("\n")}
  --config FILE            CAIRN_CONFIG                a JSON object of these settings [$XDG_CONFIG_HOME/cairn/config.json]
  -p is --port. A flag goes before a variable, a variable before the file; \`cairn config --origin\` shows what holds.
  CAIRN_URL, CAIRN_KEY and CAIRN_BINARY are for clients; a server passes them over.
`;
}

/** What a setting is when nobody says; null where it is then not set. */
export function defaultOf(schema: z.ZodType): string | null {
  if (!(schema instanceof z.ZodDefault)) return null;
  const value: unknown = schema.def.defaultValue;
  if (Array.isArray(value)) return "none";
  return typeof value === "boolean" ? (value ? "on" : "off") : String(value);
}

const defaultText = (schema: z.ZodType): string => {
  const text = defaultOf(schema);
  return text === null ? "" : ` [${text}]`;
};
