import { z } from "zod";
import { nearestWord } from "../kernel/text.ts";
import type { ToolCall } from "./tool.ts";

const Fleets = z.array(z.object({ fleet_id: z.string() }));

/** What to say where a search in a named project found nothing: that there is none of this name yet, and which is near. */
export async function nearestProject({ ask, scope }: ToolCall): Promise<string[]> {
  const { project } = scope;
  if (project === null) return [];
  const names = Fleets.parse(await ask("listFleets", {})).map(({ fleet_id }) => fleet_id);
  if (names.includes(project)) return [];
  const near = nearestWord(project, names);
  return [`No memory belongs to a project '${project}' yet.${near ? ` Did you mean '${near}'?` : ""}`];
}
