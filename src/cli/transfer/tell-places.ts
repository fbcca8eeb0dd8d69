import { counted, shellWord } from "../../core/kernel/text.ts";
import type { Output } from "../output.ts";
import { plainText } from "../output.ts";
import type { Kept } from "./batches.ts";
import type { Placed, Survey } from "./placing.ts";
import { AS_IT_WAS } from "./placing.ts";
import type { ImportReport } from "./run-import.ts";

/** Projects of a source, and ids of memories in a command, that are told; with `--json` all are. */
const [PROJECTS_TOLD, IDS_TOLD] = [20, 10];

interface Told {
  readonly isDry: boolean;
  /** How many records were stored. */
  readonly stored: number;
}

/** Says where the projects of a source go, and how that is changed. */
export function tellPlaces({ note }: Output, { projects, personal, unused_maps }: Survey, told: Told): void {
  const { isDry } = told;
  const own = projects.filter(({ name, why }) => name !== null && (isDry || why !== AS_IT_WAS));
  for (const one of own.slice(0, PROJECTS_TOLD)) note(sayOwn(one));
  if (own.length > PROJECTS_TOLD) note(`... and ${own.length - PROJECTS_TOLD} projects more; --json tells all.`);
  for (const one of projects) if (one.name === null && (isDry || one.why !== AS_IT_WAS)) note(sayUnnamed(one, told));
  if (personal > 0)
    note(`${counted(personal, "memory", "memories")} of them personal there: seen by the author alone.`);
  for (const name of unused_maps)
    note(`--map names '${plainText(name)}', and nothing in the source is of such a project.`);
}

const sayOwn = ({ name, records, to, why }: Placed): string =>
  `Its project ${plainText(name ?? "")}: ${counted(records, "record")}, ${sayGoal(to)} (${why}).`;

function sayUnnamed({ records, to, why }: Placed, { isDry, stored }: Told): string {
  const said = `Of no project there: ${counted(records, "record")}, ${sayGoal(to)} (${why}).`;
  if (why === AS_IT_WAS) return said;
  const before = `--project NAME${to === null ? "" : " or --no-scope"} says otherwise`;
  if (isDry || stored === 0) return `${said} ${before}.`;
  return `${said} \`cairn move ID... --to PROJECT\` moves them; ${before} the next time.`;
}

const sayWhere = (fleet_id: string | null): string =>
  fleet_id === null ? "for everyone" : `in project ${plainText(fleet_id)}`;

const sayGoal = (to: string | null): string => (to === null ? "for everyone" : `to project ${plainText(to)}`);

/** Whether something stays where it is only because it lies in another project than the one that was asked for. */
export const isElsewhere = ({ outcome, id, fleet_id, to }: Kept): boolean =>
  outcome === "different" && id !== null && fleet_id !== undefined && fleet_id !== to;

/** Says what lies in other projects, as an import before had brought it there, and how to have it where it was asked for. */
export function tellElsewhere({ note }: Output, { kept, twice }: Pick<ImportReport, "kept" | "twice">): void {
  for (const { ids, at, to } of groupsOf(kept.filter(isElsewhere))) {
    const [verb, was] = ids.length === 1 ? ["stays", "it was"] : ["stay", "they were"];
    note(
      `${ids.length} ${verb} ${sayWhere(at)}, where ${was} imported before: ${sayCommand("move", ids, ` --to ${wordOf(to)}`)} moves ${ids.length === 1 ? "it" : "them"}.`,
    );
  }
  for (const { ids, at } of groupsOf(twice.map((one) => ({ ...one, to: null })))) {
    const [verb, one] = ids.length === 1 ? ["lies", "it"] : ["lie", "they"];
    note(
      `${ids.length} ${verb} ${sayWhere(at)} too, from an import before: ${sayCommand("rm", ids)} if ${one} should not.`,
    );
  }
}

const wordOf = (to: string | null): string => (to === null ? "everyone" : plainText(shellWord(to)));

/** A command for some memories: with all their ids, or the first of them. */
function sayCommand(verb: string, ids: readonly string[], end = ""): string {
  const rest = ids.length - IDS_TOLD;
  const command = `\`cairn ${verb} ${ids.slice(0, IDS_TOLD).join(" ")}${end}\``;
  return rest > 0 ? `${command} and so on for ${rest} more, whose ids --json tells,` : command;
}

interface Lying {
  readonly id: string | null;
  readonly fleet_id?: string | null | undefined;
  readonly to: string | null;
}

/** Memories by where they lie and where they were to go. */
function groupsOf(
  all: readonly Lying[],
): { readonly ids: string[]; readonly at: string | null; readonly to: string | null }[] {
  const groups = new Map<string, { ids: string[]; at: string | null; to: string | null }>();
  for (const { id, fleet_id: at = null, to } of all) {
    const key = JSON.stringify([at, to]);
    const group = groups.get(key) ?? { ids: [], at, to };
    groups.set(key, group);
    if (id !== null) group.ids.push(id);
  }
  return [...groups.values()];
}
