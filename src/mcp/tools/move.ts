import { z } from "zod";
import { ProjectName, Uuid } from "../../core/schema/common.ts";
import { MovedItem, MovedReply } from "../../core/schema/places/move.ts";
import { FOR_EVERYONE, type Place, placeName, placeNamed, writtenIn } from "../places/place.ts";
import { Told, told } from "../told.ts";
import { tool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

const IDS_MAX = 100;

/** Says whose memories are. */
export const move = tool({
  name: "move",
  title: "Move memories",
  description:
    "Put memories into the project that they are of, or make them everyone's. Ids and history stay; what the project says already stays where it is.",
  repeats: true,
  input: z.strictObject({
    ids: z.array(Uuid).min(1).max(IDS_MAX),
    to: ProjectName.optional().describe("Project."),
    everyone: z.boolean().default(false).describe("In place of a project: all see them."),
    dry_run: z.boolean().default(false).describe("Only tell what would be done."),
  }),
  output: z.object({ items: z.array(MovedItem), moved: z.int(), to: z.string().nullable() }),
  async run({ ask }, { ids, to, everyone, dry_run }) {
    if ((to === undefined) !== everyone)
      throw new ToolError("INVALID_ARGUMENTS", "Give either to, a project, or everyone.", { argument: "to" });
    const place = to === undefined ? FOR_EVERYONE : await placeNamed(ask, to, !dry_run);
    const body = { ids: [...new Set(ids)], to: destinationOf(place), dry_run, limit: IDS_MAX };
    const { items, moved } = MovedReply.parse(await ask("moveMemories", { body }));
    const where = place.kind === "project" ? told`to project ${Told.name(place.name)}` : told`to everyone`;
    const others = items.filter(({ outcome }) => outcome !== "moved");
    return {
      structured: { items, moved, to: placeName(place) },
      text: Told.lines([told`${dry_run ? "Would move" : "Moved"} ${moved} ${where}.`, ...others.map(lineOf)]),
    };
  },
});

/** Throws ToolError where all projects are named. */
function destinationOf(place: Place): { readonly fleet_id: string } | { readonly everyone: true } {
  const { fleet_id } = writtenIn(place);
  return fleet_id === undefined ? { everyone: true } : { fleet_id };
}

const OUTCOMES = { moved: "moved", already_there: "is there already", duplicate: "stays", refused: "refused" } as const;

const lineOf = ({ id, outcome, existing_id, error }: MovedItem): Told =>
  told`${id} ${OUTCOMES[outcome]}${existing_id === undefined ? "" : `: ${existing_id} says the same there`}${error === undefined ? "" : `: ${error}`}`;
