import { join } from "node:path";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { HookLevel } from "../hook/level.ts";
import { DEFAULT_LEVEL } from "../hook/level.ts";
import type { Harness, HookPlace, Machine, Scope, Server } from "./harness.ts";
import type { HarnessName } from "./harnesses.ts";
import { HARNESSES } from "./harnesses.ts";
import type { ConfigPart, HookEvent, Spot } from "./part.ts";
import { HOOK_EVENTS } from "./part.ts";
import type { Wanted } from "./plan.ts";

/** What a set-up is to write. */
export interface Wish {
  readonly scope: Scope;
  readonly transport: Server["kind"];
  /** Take back instead. */
  readonly remove: boolean;
  /** How much hooks tell; null for none. */
  readonly hooks: HookLevel | null;
  /** How this program is started: the executable, or the runtime and the program's own file. */
  readonly self: readonly string[];
  /** Flags that the program needs to find the same data, or the server that was named. */
  readonly flags: readonly string[];
  /** Those of them that hold for whoever reads a file of the project. */
  readonly shared_flags: readonly string[];
  /** The address of MCP over HTTP. */
  readonly url: string;
  /** Whether that address reaches this machine alone. */
  readonly is_local: boolean;
  /** Whether a key is needed: then it is told by the name of the variable that holds it. */
  readonly key: boolean;
  /** The project, for what is written into one. */
  readonly project: string | null;
}

/** The variable that clients take their key from. */
export const KEY_VARIABLE = "CAIRN_KEY";

/** What files that others read, too, start: where the executable lies is each machine's own. */
export const SHARED_COMMAND = "cairn";

/** How Cairn is started from a file. */
const startFrom = (isShared: boolean, { self, flags, shared_flags }: Wish): Pick<Wish, "self" | "flags"> =>
  isShared ? { self: [SHARED_COMMAND], flags: shared_flags } : { self, flags };

/** The files of one harness, and where in them something of ours may be; none where it has none for a project. */
export const placesOf = (name: HarnessName, machine: Machine, scope: Scope): Pick<Wanted, "file" | "spot">[] =>
  wantedFor(name, machine, { ...NO_WISH, scope }) ?? [];

const NO_WISH = {
  transport: "stdio",
  remove: true,
  hooks: null,
  self: [],
  flags: [],
  shared_flags: [],
  url: "",
  is_local: false,
  key: false,
  project: null,
} as const;

/** The files of one harness with what of ours belongs into them; null where it has none for a project. */
export function wantedFor(name: HarnessName, machine: Machine, wish: Wish): Wanted[] | null {
  const harness: Harness = HARNESSES[name];
  const entry = harness.entry(machine, wish.scope);
  if (!entry) return null;
  const value = harness.write(serverOf(harness, wish));
  const entries = [entry.path, ...(entry.others ?? [])];
  const main = {
    file: entry.file,
    spot: { format: entry.format, entries, is_shared: wish.scope === "project" },
    parts: wish.remove ? [] : [{ kind: "entry", path: entry.path, value } as const],
  } satisfies Wanted;
  const place = harness.hooks?.(machine, wish.scope);
  if (!place) return [main];
  const hooks: Wanted = {
    file: place.file,
    spot: { format: "json", entries: [], hooks: "hooks", ...(place.base ? { base: place.base } : {}) },
    parts: wish.hooks === null || wish.remove ? [] : hookParts(name, place, { ...wish, level: wish.hooks }, machine),
  };
  return place.file === entry.file ? [together(main, hooks)] : [main, hooks];
}

function together(one: Wanted, other: Wanted): Wanted {
  const spot: Spot = { ...one.spot, ...other.spot, entries: one.spot.entries };
  return { file: one.file, spot, parts: [...one.parts, ...other.parts] };
}

function serverOf({ bearer }: Harness, wish: Wish): Server {
  const { transport, url, key, scope, project } = wish;
  const inProject = scope === "project" && project !== null;
  if (transport === "stdio") {
    const { self, flags } = startFrom(scope === "project", wish);
    const [command = "", ...args] = self;
    return { kind: "stdio", command, args: [...args, "mcp", ...flags, ...(inProject ? ["--project", project] : [])] };
  }
  const headers: JsonObject = {
    ...(key && bearer ? { Authorization: bearer(KEY_VARIABLE) } : {}),
    ...(inProject ? { "X-Cairn-Project": project, "X-Cairn-Project-Source": "setup" } : {}),
  };
  return { kind: "http", url, headers };
}

function hookParts(
  name: HarnessName,
  { events, style, timeout, base = [], is_personal = false }: HookPlace,
  { level, ...wish }: Wish & { readonly level: HookLevel },
  machine: Machine,
): ConfigPart[] {
  const tells = level === DEFAULT_LEVEL ? [] : ["--level", level];
  const items = HOOK_EVENTS.flatMap((event): ConfigPart[] => {
    const word = events[event];
    if (word === undefined) return [];
    const { self, flags } = startFrom(wish.scope === "project" && !is_personal, wish);
    const command = hookCommand({ self, flags: [...flags, ...tells] }, event, name, machine);
    const value = style === "flat" ? { command, timeout } : { hooks: [{ type: "command", command, timeout }] };
    return [{ kind: "item", path: ["hooks", word], value }];
  });
  return [...base, ...items];
}

/** Ends in the words by which a set-up knows its own hooks again. */
export function hookCommand(
  { self, flags }: Pick<Wish, "self" | "flags">,
  event: HookEvent,
  name: HarnessName,
  { platform }: Machine,
): string {
  const quote = platform === "win32" ? quoteWindows : quotePosix;
  return [...self.map(quote), "hook", event, ...flags.map(quote), "--harness", name].join(" ");
}

const PLAIN = /^[\w@%+=:,./\\-]+$/;
const quotePosix = (word: string): string =>
  PLAIN.test(word) && !word.includes("\\") ? word : `'${word.replaceAll("'", "'\\''")}'`;
const quoteWindows = (word: string): string => (PLAIN.test(word) ? word : `"${word}"`);

/** AGENTS.md of the project, which most harnesses read. */
export const wantedAgentsFile = ({ project }: Machine, remove: boolean): Wanted => ({
  file: join(project, "AGENTS.md"),
  spot: { format: "markdown", entries: [] },
  parts: remove ? [] : [{ kind: "block", text: AGENTS_BLOCK }],
});

const AGENTS_BLOCK = `## Memory

Cairn keeps what is known of this project; its MCP server is named \`cairn\`.

- Before you begin, and whenever you are about to guess or to ask what was decided: \`search\`.
- When you learn a decision, a convention, a preference or why something failed: \`remember\` it, one statement at a
  time, in words that make sense without this conversation. Never secrets.
- When Cairn answers that a statement contradicts or repeats another, settle it at once: \`correct\` or \`forget\`.`;
