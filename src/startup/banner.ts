import { cutTo, padTo, widthOf } from "../cli/columns.ts";
import { FROM_SOURCE } from "../cli/setup/place.ts";
import type { Config } from "../config/load.ts";
import { databaseNamed, isLoopback } from "../core/kernel/address.ts";
import { modeOpenToOthers } from "../core/kernel/files/private-files.ts";
import { RELEASE } from "../version.ts";

/** What a server has to say of itself when it is ready. */
export interface Started {
  readonly url: string;
  readonly ready_ms: number;
  readonly keyless: boolean;
  readonly memories: number;
  /** Id of the embedder. */
  readonly model: string;
  /** What a person types to call this program. */
  readonly command: string;
}

/** What a person reads at the start: in a box on a terminal of that many columns, in plain lines for `null`. */
export function banner(config: Config, started: Started, width: number | null): string {
  const { url, ready_ms, keyless, memories, model, command } = started;
  const lines = [
    `Cairn ${RELEASE}   ready in ${ready_ms} ms`,
    "",
    `Console  ${url}/`,
    `API      ${url}/api/v1`,
    `Docs     ${url}/api/docs`,
    `MCP      ${url}/mcp   or: ${command} mcp`,
    `Data     ${placeOf(config)}`,
    `Holds    ${memories.toLocaleString("en")} ${memories === 1 ? "memory" : "memories"}`,
    `Model    ${modelOf(model)}`,
    `Access   ${accessOf(config, keyless)}`,
    `Next     ${command} setup claude`,
    `or       ${command} add "..."`,
    `         in another terminal${command === FROM_SOURCE ? ", in this folder" : ""}`,
  ];
  return width === null ? `\n${lines.map((line) => `  ${line}`.trimEnd()).join("\n")}\n` : boxed(lines, width);
}

/** What reads, of the id of an embedder, which says behind it how it does. */
function modelOf(id: string): string {
  const [name] = id.split("+");
  return id.startsWith("hash") ? "hash (tests only)" : `${name}, inside, no network`;
}

/** Columns that a border and the space within it take. */
const BORDER = 4;

function boxed(lines: readonly string[], width: number): string {
  const inner = Math.min(width - BORDER, Math.max(...lines.map((line) => widthOf(line))));
  const rule = "─".repeat(inner + 2);
  const rows = lines.map((line) => `│ ${padTo(cutTo(line, inner), inner)} │`);
  return [`╭${rule}╮`, ...rows, `╰${rule}╯`].join("\n");
}

function placeOf({ data, ephemeral, database_url }: Config): string {
  if (database_url !== undefined) return databaseNamed(database_url);
  if (ephemeral) return "in memory, gone at exit";
  const mode = modeOpenToOthers(data);
  return mode === null ? data : `${data} (open to others, mode ${mode}: chmod 700 closes it)`;
}

function accessOf({ host }: Config, keyless: boolean): string {
  if (!keyless) return `keys only, listening on ${host}`;
  return isLoopback(host)
    ? "standalone: no key needed, this machine only"
    : `NO KEY NEEDED BY ANYONE who reaches ${host}`;
}
