import { z } from "zod";
import { AgentId, countedText, DayOffset, FleetId, listOf, Moment, RunId, TenantId, Uuid } from "../common.ts";
import { onePlace } from "./place.ts";

const IDS_MAX = 500;
const MATCH_MAX = 200;
const NEXT_MAX = 200;
const MOVED_DEFAULT = 100;

const MoveFilter = z
  .strictObject({
    fleet_id: FleetId.optional().describe("Only what belongs to this fleet."),
    no_fleet: z.literal(true).optional().describe("Only what belongs to none. Not beside fleet_id."),
    written_by: AgentId.optional().describe("Only memories of this author."),
    run_id: RunId.optional(),
    created_after: Moment.optional(),
    created_before: Moment.optional().describe("A date without a time is in it as a whole."),
    utc_offset_minutes: DayOffset.optional(),
    match: countedText(2, MATCH_MAX).optional().describe("Only what has this text in it, whatever its case."),
  })
  .refine(({ utc_offset_minutes: _offset, ...named }) => Object.values(named).some((value) => value !== undefined), {
    error: "Name what is to be moved: one of the filters at least",
  })
  .check(onePlace);
export type MoveFilter = z.infer<typeof MoveFilter>;

const Destination = z
  .union([
    z.strictObject({ fleet_id: FleetId }),
    z.strictObject({ everyone: z.literal(true).describe("It belongs to no fleet, and all see it.") }),
  ])
  .meta({ id: "MoveDestination" });
export type Destination = z.infer<typeof Destination>;

/** Strict, as deletions are: a filter that is misspelt must not show others what was to stay. */
export const MoveRequest = z
  .strictObject({
    tenant_id: TenantId,
    ids: listOf(Uuid, IDS_MAX, 1).optional().describe("The memories to move. Either these or a filter."),
    filter: MoveFilter.optional().describe("What is to be moved: all that passes every filter that is named."),
    to: Destination.describe("The fleet that it is to belong to, or everyone."),
    dry_run: z.boolean().default(false).describe("Tells what would become of each, and moves nothing."),
    limit: z.int().min(1).max(IDS_MAX).default(MOVED_DEFAULT).describe("Memories told of in one reply, at most."),
    next: z.string().max(NEXT_MAX).optional().describe("`next` of the reply before, to go on; left out to begin."),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    error: "Send either ids or a filter",
    path: ["ids"],
  })
  .meta({ id: "MoveRequest" });
export type MoveRequest = z.infer<typeof MoveRequest>;

export const MovedItem = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    outcome: z
      .enum(["moved", "already_there", "duplicate", "refused"])
      .describe("duplicate: it stays where it is, for `existing_id` says the same there already."),
    existing_id: z.string().meta({ format: "uuid" }).optional(),
    error: z.string().optional().describe("Why it is refused, and the way out."),
  })
  .meta({ id: "MovedItem" });
export type MovedItem = z.infer<typeof MovedItem>;

export const MovedReply = z
  .object({
    dry_run: z.boolean(),
    matched: z.int().describe("Memories that this reply tells of."),
    moved: z.int().describe("Those of them that were moved, or with `dry_run` would be."),
    items: z.array(MovedItem),
    next: z.string().nullable().describe("To be sent with the same request, until it is null: then all is done."),
  })
  .meta({ id: "Moved" });
export type MovedReply = z.infer<typeof MovedReply>;
