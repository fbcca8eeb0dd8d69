import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isLoopback, withoutCredentials } from "../../core/kernel/address.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import { shownOnOneLine } from "../../core/kernel/quoting/unseen.ts";
import type { Place } from "../setup/ground.ts";
import type { Harness, Machine, Scope } from "../setup/harness.ts";
import type { HarnessName } from "../setup/harnesses.ts";
import { HARNESS_NAMES, HARNESSES } from "../setup/harnesses.ts";
import { hooksHeld, partsIn } from "../setup/merge.ts";
import type { ConfigPart, Spot } from "../setup/part.ts";
import { readText } from "../setup/read-text.ts";
import { placesOf } from "../setup/wish.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";
import { projectEntryFaults, urlsIn } from "./project/entry.ts";
import { commandsIn, strangeHooks, wordsIn } from "./project/hooks.ts";

export interface AgentsView {
  readonly machine: Machine;
  /** Where agents reach the server: the address of the one that runs, or of the next to start. */
  readonly url: string;
  /** How this program is started. */
  readonly self: readonly string[];
  /** Whether a command of this name can be run. */
  readonly has: (command: string) => boolean;
}

const SCOPES: readonly Scope[] = ["user", "project"];

/** What the settings of the known harnesses say of Cairn, and whether it still leads here. */
export function inspectAgents(view: AgentsView): DoctorFinding[] {
  const findings = HARNESS_NAMES.flatMap((name) => inspectHarness(name, view));
  if (findings.length > 0) return findings;
  return [about("agents", "configuration").note("No harness that Cairn knows is in use here: cairn setup --help")];
}

function inspectHarness(name: HarnessName, view: AgentsView): DoctorFinding[] {
  const { title, trace } = HARNESSES[name];
  const found = SCOPES.flatMap((scope) => inspectScope(name, scope, view));
  if (found.length > 0 || !existsSync(trace(view.machine))) return found;
  return [about("agents", title).note(`${title} is in use here without Cairn: cairn setup ${name}`)];
}

function inspectScope(name: HarnessName, scope: Scope, view: AgentsView): DoctorFinding[] {
  const harness: Harness = HARNESSES[name];
  const say = about("agents", harness.title);
  const repair = `cairn setup ${name}${scope === "project" ? " --project" : ""}`;
  const { home, project } = view.machine;
  const place: Place = scope === "project" ? { kind: "repository", root: project } : { kind: "own", root: home };
  const others = harness.hooks?.(view.machine, scope).others ?? [];
  const places = [...placesOf(name, view.machine, scope), ...others.map((file) => ({ file, spot: NONE_OF_OURS }))];
  return places.flatMap(({ file, spot }): DoctorFinding[] => {
    try {
      const text = readText(file, place) ?? "";
      const parts = partsIn(text, spot);
      const { machine, self } = view;
      const strange = scope === "project" ? strangeHooks(hooksHeld(text, spot), { name, machine, self }) : [];
      if (strange.length > 0)
        return strange.map((command) =>
          say.fault(`${file}: a hook runs ${shownOnOneLine(command)}, which no set-up wrote.`, {
            why: "It is run with your rights by whoever opens this folder in the agent, and is told what you ask.",
            repair: `Look at ${file}; take the hook out unless you know who wrote it. Then: ${repair}`,
          }),
        );
      const faults = [...new Set(parts.flatMap((part) => faultsOf(part, view, scope)))];
      const isOurs = parts.some(({ kind }) => kind === "entry" || kind === "item");
      if (faults.length === 0) return isOurs ? [say.well(file)] : [];
      return faults.map((fault) => say.fault(`${file}: ${fault}`, { why: WHY, repair }));
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      return [say.unseen(`${file} cannot be read: ${cause}`, `Correct the file, then: ${repair}`)];
    }
  });
}

/** Of a file into which no set-up writes. */
const NONE_OF_OURS: Spot = { format: "json", entries: [] };

const WHY = "The agent starts without its memory, often without a word about it.";

function faultsOf(part: ConfigPart, view: AgentsView, scope: Scope): string[] {
  if (part.kind === "entry") return entryFaults(part.value, view, scope);
  if (part.kind !== "item") return [];
  return commandsIn(part.value).flatMap((command) => [
    ...wordsFaults(programOf(command), view),
    ...(scope === "project" ? urlFaults(urlsIn(wordsIn(command)), view) : []),
  ]);
}

function entryFaults(entry: JsonObject, view: AgentsView, scope: Scope): string[] {
  const words = [...textsOf(entry.command), ...textsOf(entry.args)];
  const urls = textsOf([entry.url, entry.httpUrl, entry.serverUrl].flat());
  const common = wordsFaults(words.slice(0, words.indexOf("mcp")), view);
  if (scope === "user") return [...common, ...urlFaults(urls, view)];
  return [...common, ...projectEntryFaults(entry, words), ...urlFaults([...urls, ...urlsIn(words)], view)];
}

const textsOf = (value: unknown): string[] => [value].flat().filter((word) => typeof word === "string");

/** The words before `hook` in a command as a set-up writes it, without their quotes. */
const programOf = (command: string): string[] => wordsIn(command.split(" hook ")[0] ?? "");

/** The program, and the files that it is told to run, must be there. */
function wordsFaults([program, ...words]: readonly string[], { has }: AgentsView): string[] {
  if (program === undefined) return [];
  const paths = [program, ...words].filter((word) => isAbsolute(word));
  const missing = paths.filter((path) => !existsSync(path)).map((path) => `${path} is no longer there.`);
  return isAbsolute(program) || has(program) ? missing : [...missing, `There is no command ${program}.`];
}

function urlFaults(urls: readonly string[], view: AgentsView): string[] {
  return urls.flatMap((address) =>
    isSamePlace(address, view.url)
      ? []
      : [`${withoutCredentials(address)} is not where Cairn is reached, which is ${withoutCredentials(view.url)}.`],
  );
}

/** The names of this machine mean the same. */
function isSamePlace(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  if (!a || !b || a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.hostname === b.hostname || (isLoopback(a.hostname) && isLoopback(b.hostname));
}
