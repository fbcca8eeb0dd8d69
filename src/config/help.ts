import { z } from "zod";
import type { Command } from "./commands.ts";
import { COMMAND_NAMES, COMMANDS } from "./commands.ts";
import { flagOf, NAMES, SETTINGS, variableOf } from "./settings.ts";

/** The text of `cairn help`, or of one command. */
export function helpText(topic?: Command): string {
  if (topic !== undefined && topic !== "help" && topic !== "serve") return `${usageOf([topic])}\n${OTHER_FLAGS}`;
  const lines = NAMES.map((name) => {
    const left = `  --${flagOf(name).padEnd(21)} ${variableOf(name).padEnd(27)}`;
    return `${left} ${SETTINGS[name].description ?? ""}${defaultText(SETTINGS[name])}`;
  });
  return `${usageOf(topic === "serve" ? ["serve"] : COMMAND_NAMES)}
Flag, variable, meaning (the same names as keys of the config file):
${lines.join("\n")}
  --config FILE            CAIRN_CONFIG                a JSON object of these settings [$XDG_CONFIG_HOME/cairn/config.json]
  -p is --port, -h --help, -v --version. A flag goes before a variable, a variable before the file.
  CAIRN_URL and CAIRN_KEY are for clients; a server passes them over.

Exit: 0 when done or stopped, 1 when refused, failed, or faults were found.
`;
}

const OTHER_FLAGS =
  "It takes the flags of `cairn serve`, too, of which --data names the folder; see `cairn help` for all of them.\n";

function usageOf(names: readonly Command[]): string {
  const lines = names.flatMap((name) => {
    const { usage, about } = COMMANDS[name];
    return [...usage.map((words) => `  cairn ${words}`), `      ${about}`];
  });
  return `Usage:\n${lines.join("\n")}\n`;
}

/** What a setting is when nobody says; nothing for one that is then not there. */
function defaultText(schema: z.ZodType): string {
  if (!(schema instanceof z.ZodDefault)) return "";
  const value: unknown = schema.def.defaultValue;
  if (Array.isArray(value)) return " [none]";
  return ` [${typeof value === "boolean" ? (value ? "on" : "off") : value}]`;
}
