import { z } from "zod";
import { AgentId, countedText, DayOffset, FleetId, Moment, TenantId } from "../common.ts";
import { onePlace, WrittenForAll } from "../places/place.ts";
import { Backup } from "./backup.ts";

const MATCH_MAX = 200;
const NEXT_MAX = 200;

/** Strict, as deletions are: a filter that is misspelt must not erase what it was to spare. */
export const ForgetRequest = z
  .strictObject({
    tenant_id: TenantId,
    agent_id: AgentId.optional().describe(
      "Only memories that this agent wrote; with no other filter also its row and the labels of its keys, which are revoked.",
    ),
    fleet_id: FleetId.optional().describe("Only what belongs to this fleet."),
    shared_only: WrittenForAll.optional(),
    before: Moment.optional().describe(
      "Only memories written, and else what was last changed, before this moment, or before this day begins.",
    ),
    utc_offset_minutes: DayOffset.optional(),
    match: countedText(2, MATCH_MAX)
      .optional()
      .describe(
        "Only what has this text in it, whatever its case: all that a memory says, names and data of a document, what was entered of entities, audit, kept replies, and every label. Names of agents, fleets and tenants are ids, and stay.",
      ),
    dry_run: z.boolean().default(false).describe("Counts, and erases nothing."),
    next: z.string().max(NEXT_MAX).optional().describe("`next` of the reply before, to go on; left out to begin."),
  })
  .check(onePlace)
  .meta({
    id: "ForgetRequest",
    description: "What is to be erased for good: all that passes every filter that is named.",
  });
export type ForgetRequest = z.infer<typeof ForgetRequest>;

export const ForgetCounts = z
  .object({
    memories: z.int().describe("Deleted ones too."),
    documents: z.int().describe("Keystones and skills among them."),
    entities: z.int().describe("What was entered by hand of an entity, an entry a fleet."),
    relations: z.int(),
    audit_entries: z
      .int()
      .describe(
        "Entries of which only who did what when is left; a dry run may count one twice, by its target and by its text.",
      ),
    kept_replies: z.int(),
    agents: z.int().describe("With `agent_id` alone its row; with `match` names that agents are shown by."),
    keys: z
      .int()
      .describe("With `agent_id` alone its keys, which are revoked; with `match` labels, and the keys stay."),
    labels: z
      .int()
      .describe(
        "Names of requests and of imports, texts of memories from before an edit, reasons of rejections, reports of the Forge, names of collections that are empty.",
      ),
  })
  .meta({ id: "ForgetCounts" });
export type ForgetCounts = z.infer<typeof ForgetCounts>;
/** What is counted. */
export const FORGET_COUNTED = ForgetCounts.keyof().options;

/** The sum of counts; those that are left out are 0. */
export const sumOfCounts = (all: readonly Partial<ForgetCounts>[]): ForgetCounts =>
  ForgetCounts.parse(
    Object.fromEntries(FORGET_COUNTED.map((key) => [key, all.reduce((sum, counts) => sum + (counts[key] ?? 0), 0)])),
  );

export const Forgotten = z
  .object({
    dry_run: z.boolean(),
    counts: ForgetCounts.describe("What this request erased, or with `dry_run` found."),
    now: z.string().describe("What is being done."),
    next: z.string().nullable().describe("To be sent with the same request, until it is null: then all is done."),
    backups: z
      .array(Backup)
      .describe("With the last reply: backups in the default folder, which still hold what was erased."),
    copies: z
      .array(z.string())
      .describe("With the last reply: other copies of the data in its folder, which still hold it."),
  })
  .meta({ id: "Forgotten" });
export type Forgotten = z.infer<typeof Forgotten>;
