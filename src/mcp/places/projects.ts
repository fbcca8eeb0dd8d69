import { z } from "zod";
import { quotedName } from "../../core/kernel/quoting/quote.ts";
import { nearestWord } from "../../core/kernel/text.ts";
import { type CardRow, projectOf } from "../cards.ts";
import type { ToolCall } from "../tool.ts";

const Projects = z.object({ items: z.array(z.object({ name: z.string() })) });
const Fleets = z.array(z.object({ fleet_id: z.string() }));

/** What to say where nothing that was found is of the named project: that it holds nothing yet, and which name is near. */
export async function unknownProject({ ask, scope }: ToolCall, rows: readonly CardRow[]): Promise<string[]> {
  const { place } = scope;
  if (place.kind !== "project" || rows.some((row) => row.fleet_id === place.id)) return [];
  const fleets = Fleets.parse(await ask("listFleets", {})).map(({ fleet_id }) => fleet_id);
  if (fleets.includes(place.id)) return [];
  const named = Projects.parse(await ask("listProjects", {})).items.map(({ name }) => name);
  const near = nearestWord(place.name, [...fleets, ...named.filter((name) => name !== place.name)]);
  const shared = rows.some((row) => projectOf(row) === null) ? " What is shown is for everyone." : "";
  const asked = near ? ` Did you mean "${quotedName(near)}"?` : "";
  return [`No memory belongs to a project "${quotedName(place.name)}" yet.${asked}${shared}`];
}

const Rows = z.object({ items: z.array(z.object({ id: z.string() })) });

/** Whether a project holds nothing but these memories. */
export async function isNewProject({ ask, scope }: ToolCall, saved: readonly string[]): Promise<boolean> {
  const { place, agent_id } = scope;
  if (place.kind !== "project" || saved.length === 0) return false;
  const query = { fleet_id: place.id, agent_id, fields: "id", limit: saved.length + 1 };
  const { items } = Rows.parse(await ask("listMemories", { query }));
  return items.every(({ id }) => saved.includes(id));
}
