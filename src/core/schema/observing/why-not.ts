import { z } from "zod";
import { Uuid, Warning } from "../common.ts";
import { MemoryStatus } from "../memory.ts";
import { CandidateView, SearchRequest } from "../retrieval.ts";

/** What a memory must come through to be returned by a search, in the order in which a search works. */
const STAGES = [
  "exists",
  "filters",
  "vector",
  "candidates",
  "min_similarity",
  "min_score",
  "same_text",
  "successor",
  "top_k",
  "returned",
] as const;

const WhyNotStage = z.enum(STAGES).meta({ id: "WhyNotStage" });
export type WhyNotStage = z.infer<typeof WhyNotStage>;

export const WhyNotRequest = SearchRequest.safeExtend({
  memory_id: Uuid.describe("The memory that is missed. All other fields are those of the search that is asked about."),
}).meta({ id: "WhyNotRequest" });
export type WhyNotRequest = z.infer<typeof WhyNotRequest>;

export const WhyNotCheck = z
  .object({
    stage: WhyNotStage,
    passed: z.boolean(),
    detail: z.string().describe("In words: what was looked at, and what it was."),
  })
  .meta({ id: "WhyNotCheck" });
export type WhyNotCheck = z.infer<typeof WhyNotCheck>;

export const WhyNotChange = z
  .object({
    caller_agent_id: z.string().optional(),
    filter_agent_id: z.null().optional(),
    fleet_ids: z.null().optional(),
    shared_only: z.null().optional(),
    memory_type_filter: z.null().optional(),
    status_filter: MemoryStatus.optional(),
    valid_at: z.string().nullish(),
    happened_from: z.null().optional(),
    happened_to: z.null().optional(),
    min_similarity: z.number().nullish(),
    min_score: z.number().optional(),
    top_k: z.int().optional(),
  })
  .meta({ id: "WhyNotChange" });
export type WhyNotChange = z.infer<typeof WhyNotChange>;

export const WhyNotReply = z
  .object({
    memory_id: z.string(),
    stage: WhyNotStage.describe("The first that the memory does not come through; `returned` where it is returned."),
    message: z.string().describe("In words: why it is not returned, and what to do."),
    change: WhyNotChange.nullable().describe(
      "The members of the search that let it through `stage` once they are set so, null for left out (an alias of it too); a later stage may " +
        "still keep it out. Null where no member does.",
    ),
    rank: z.int().nullable().describe("Its place among all that were considered, from 1; null where it was not."),
    returned: z.boolean(),
    candidate: CandidateView.nullable().describe(
      "What a diagnostic of the search says of it; null where it was not considered.",
    ),
    best_returned: z.object({ id: z.string(), score: z.number() }).nullable(),
    gap: z
      .number()
      .nullable()
      .describe("The least score returned, less its own; null where it has none or none is returned."),
    checks: z
      .array(WhyNotCheck)
      .describe(
        "The stages in order, up to the first that it does not come through. A memory that stands in for a superseded " +
          "one is returned whatever they say.",
      ),
    warnings: z.array(Warning).nullable(),
  })
  .meta({ id: "WhyNotReply" });
export type WhyNotReply = z.infer<typeof WhyNotReply>;
