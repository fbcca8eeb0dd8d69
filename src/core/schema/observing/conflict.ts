import { z } from "zod";
import { AgentId, countedText, FleetId, TenantId, Uuid } from "../common.ts";
import { ClashingSpan } from "../contradiction.ts";
import { MemoryStatus, MemoryType } from "../memory.ts";
import { onePlace, SharedOnly } from "../places/place.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;
const REASON_MAX = 1_000;
/** Findings that are counted of those that wait. */
export const OPEN_COUNT_MAX = 1_000;

export const ReviewDecision = z
  .enum(["accept", "both_stand", "reopen"])
  .describe(
    "accept: the newer memory holds, and the older one is outdated, also once the newer one is gone. both_stand: both are true, and the detector does not find the two again. reopen: takes the last decision back.",
  );
export type ReviewDecision = z.infer<typeof ReviewDecision>;

export const ConflictState = z
  .enum(["open", "accepted", "both_stand"])
  .describe(
    "open: nobody has reviewed it. both_stand: taken back by a caller; setting the older memory live does that, too.",
  );
export type ConflictState = z.infer<typeof ConflictState>;

const ConflictMemory = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    content: z.string(),
    status: MemoryStatus,
    agent_id: z.string(),
    fleet_id: z.string().nullable(),
    memory_type: MemoryType,
    created_at: z.string().meta({ format: "date-time" }),
    ts_valid_start: z.string().meta({ format: "date-time" }).nullable(),
  })
  .meta({ id: "ConflictMemory" });

export const Conflict = z
  .object({
    newer: ConflictMemory,
    older: ConflictMemory,
    result: z
      .enum([...MemoryStatus.extract(["outdated", "conflicted"]).options, "possible"])
      .describe("What the detector made of the older memory; possible: nothing, it may have changed or in part."),
    rule: z.string().describe("Name of the rule that decided."),
    confidence: z.number(),
    why: z
      .string()
      .nullable()
      .describe(
        "In words: what spoke for it and against, strongest first, each with what it counts; null where another rule decided.",
      ),
    spans: z.object({ newer: ClashingSpan, older: ClashingSpan }).describe("What clashes."),
    found_at: z.string().meta({ format: "date-time" }),
    state: ConflictState,
    reviewed_at: z.string().meta({ format: "date-time" }).nullable(),
    reviewed_by: z.string().nullable().describe("The agent that decided; null for a credential of no agent."),
  })
  .meta({ id: "Conflict" });
export type Conflict = z.infer<typeof Conflict>;

export const ConflictListQuery = z
  .object({
    tenant_id: TenantId,
    agent_id: AgentId.optional().describe("Who is looking: sees its own private memories plus all shared ones."),
    fleet_id: FleetId.optional(),
    with_shared: z
      .boolean()
      .default(false)
      .describe("Beside fleet_id: also what is of no fleet, and of the whole organisation."),
    shared_only: SharedOnly.default(false),
    state: z.enum([...ConflictState.options, "all"]).default("open"),
    cursor: countedText(0, 500).optional().describe("`next_cursor` of the page before."),
    limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT),
  })
  .check(onePlace);
export type ConflictListQuery = z.infer<typeof ConflictListQuery>;

export const ConflictPage = z
  .object({
    items: z.array(Conflict),
    next_cursor: z.string().nullable(),
    open_count: z
      .int()
      .describe(
        `How many the caller sees that nobody has reviewed, in this fleet where one is named; ${OPEN_COUNT_MAX} at most.`,
      ),
    waiting_count: z
      .int()
      .describe(
        "Of how many of these the older memory is in conflict still: they wait for a decision. The others were retired, " +
          "or are possible.",
      ),
    possible_count: z
      .int()
      .describe("How many of these are merely possible: both memories hold until somebody decides."),
  })
  .meta({ id: "ConflictPage" });
export type ConflictPage = z.infer<typeof ConflictPage>;

export const ConflictReview = z
  .object({
    tenant_id: TenantId,
    agent_id: AgentId.optional().describe("Who is looking."),
    newer_id: Uuid,
    older_id: Uuid,
    decision: ReviewDecision,
    reason: countedText(0, REASON_MAX).nullish().describe("Kept in the audit log."),
  })
  .meta({ id: "ConflictReview" });
export type ConflictReview = z.infer<typeof ConflictReview>;
