import type { JsonObject, JsonValue } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import { Unreadable } from "./error.ts";

/** How a file is written. */
export type Format = "json" | "toml" | "markdown";

/** Something of ours in a file of a harness. */
export type ConfigPart =
  /** One named member or table, the last name of the path. */
  | { readonly kind: "entry"; readonly path: readonly string[]; readonly value: JsonObject }
  /** One element of a list. */
  | { readonly kind: "item"; readonly path: readonly string[]; readonly value: JsonObject }
  /** A member that the file must have besides ours; somebody else's is left as it is. */
  | { readonly kind: "base"; readonly path: readonly string[]; readonly value: string | number }
  /** A stretch of Markdown between our markers. */
  | { readonly kind: "block"; readonly text: string };

/** Where in a file parts of ours may be, whatever they were set up with. */
export interface Spot {
  readonly format: Format;
  readonly entries: readonly (readonly string[])[];
  /** The object whose members are lists of hooks, by event. */
  readonly hooks?: string;
  readonly base?: readonly Extract<ConfigPart, { kind: "base" }>[];
  /** Whether the file comes with a repository, so that what an entry of ours holds besides may be anybody's. */
  readonly is_shared?: boolean;
}

/** The events that `cairn hook` answers to. */
export const HOOK_EVENTS = ["session-start", "user-prompt", "pre-compact", "session-end"] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What every command that a set-up writes as a hook holds, whatever the executable is called, and what it ends in. */
const OUR_COMMAND = new RegExp(` hook (?:${HOOK_EVENTS.join("|")}) `);
const OUR_END = " --harness ";

function isOurCommand(command: string): boolean {
  const end = command.lastIndexOf(OUR_END);
  return (
    end !== -1 && /^[a-z]+$/.test(command.slice(end + OUR_END.length)) && OUR_COMMAND.test(command.slice(0, end + 1))
  );
}

/** Whether an element of a list of hooks calls us and nobody else: a command, or a group of commands. */
export function isOurHook(item: unknown): boolean {
  if (!isJsonObject(item)) return false;
  if (typeof item.command === "string") return isOurCommand(item.command);
  return Array.isArray(item.hooks) && item.hooks.length > 0 && item.hooks.every(isOurHook);
}

/** Whether an entry starts our proxy or calls our server: what bears our name need not be ours. */
export function isOurEntry(entry: unknown): entry is JsonObject {
  if (!isJsonObject(entry)) return false;
  const words = [entry.command, entry.args].flat();
  const urls = [entry.url, entry.httpUrl, entry.serverUrl].filter((url) => typeof url === "string");
  return words.includes("mcp") || urls.some((url) => /\/mcp\/?(?:$|\?)/.test(url));
}

/** What we alone decide in an entry; anything else in it is its reader's. */
const OURS = ["type", "command", "args", "url", "httpUrl", "serverUrl", "transport", "source", "bearer_token_env_var"];
const HEADERS = ["headers", "http_headers"];
const OUR_HEADER = /^x-cairn-/i;

/** Throws Unreadable for an entry that is there already and is somebody else's. */
export function requireOurs(present: unknown, path: readonly string[]): void {
  if (present === undefined || isOurEntry(present)) return;
  throw new Unreadable(`${path.join(".")} is there already and does not start Cairn: rename or remove it first`);
}

/** The members of an entry of ours that no set-up writes. */
export const addedTo = (entry: JsonObject): string[] =>
  Object.keys(entry).filter((name) => !OURS.includes(name) && !HEADERS.includes(name));

/** The headers of an entry of ours that no set-up writes. */
export const headersAddedTo = (entry: JsonObject): string[] =>
  HEADERS.flatMap((name) => Object.keys(Object(entry[name]))).filter(
    (name) => !OUR_HEADER.test(name) && name.toLowerCase() !== "authorization",
  );

/** The entry to write in the place of ours in a person's own settings: as wanted, with the members, headers and arguments added by hand. */
export function combined(present: JsonObject, wanted: JsonObject): JsonObject {
  const added = addedTo(present).map((name) => [name, present[name]]);
  const longer = Object.entries(wanted).map(([name, value]) => [name, longerOf(present[name], value)]);
  const isHttp = ["url", "httpUrl", "serverUrl"].some((name) => name in wanted && name in present);
  const headers = HEADERS.map((name) => [name, isHttp ? headersOf(present[name], wanted[name]) : wanted[name]]);
  return Object.fromEntries([...longer, ...headers, ...added].filter(([, value]) => value !== undefined));
}

/**
 * A list that begins as the wanted one has arguments added by hand. Flags by which a set-up says where the data and the server
 * are go with the set-up that wrote them; so does the project, where it is wanted.
 */
function longerOf(present: JsonObject[string] | undefined, wanted: JsonObject[string]): JsonObject[string] {
  if (!Array.isArray(present) || !Array.isArray(wanted)) return wanted;
  const flags = ["--data", "--url", ...(wanted.includes("--project") ? ["--project"] : [])];
  const [there, ours] = [without(present, flags), without(wanted, flags)];
  const added = ours.every((word, index) => word === there[index]) ? there.slice(ours.length) : [];
  return [...wanted, ...added];
}

/** Words without some flags and the value of each. */
const without = (words: readonly JsonValue[], flags: readonly unknown[]): JsonValue[] =>
  words.filter((word, at) => !flags.includes(word) && !(at > 0 && flags.includes(words[at - 1])));

function headersOf(present: unknown, wanted: unknown): JsonObject | undefined {
  const kept = Object.entries(isJsonObject(present) ? present : {}).filter(([name]) => !OUR_HEADER.test(name));
  const headers = { ...Object.fromEntries(kept), ...(isJsonObject(wanted) ? wanted : {}) };
  return Object.keys(headers).length === 0 ? undefined : headers;
}
