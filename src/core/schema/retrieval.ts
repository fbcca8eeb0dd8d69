import { z } from "zod";
import {
  AgentId,
  DayOffset,
  FleetId,
  HappenedWindow,
  JsonRecord,
  listOf,
  TenantId,
  textOf,
  ValidAt,
  Warning,
} from "./common.ts";
import { Memory, MemoryStatus, MemoryType } from "./memory.ts";
import { MemoryView, ViewMembers } from "./memory-view.ts";
import { SinkUnused } from "./observing/told.ts";
import { onePlace, SharedOnly } from "./places/place.ts";
import { Usage } from "./usage.ts";

export const QUERY_MAX = 5_000;
export const TOP_K_DEFAULT = 5;
export const TOP_K_MAX = 20;
/**
 * What the best row must score for a recall to speak at all, unless the caller says otherwise: with less, nothing found is nearer
 * to the question than unrelated text, and a summary had better say that nothing was found.
 */
export const RECALL_MIN_SCORE = 0.01;

/** What scores less hardly answers: on short notes, answers score from .1 on, and what is beside the point up to .06. */
const LEAST = 0.03;
/** Nor does what scores less than this part of the best. */
const PART_OF_BEST = 0.1;
/** A summary is of nothing else: it rather says that nothing is known. */
export const LEAST_SUMMED_UP = 0.08;

/**
 * The rows of a search, best first, that may answer. The successor of a superseded row has no score of its own, and goes with
 * those before it.
 */
export function likelyOf<Row extends { readonly score?: number | null | undefined }>(
  rows: readonly Row[],
): readonly Row[] {
  const best = rows.find(({ score }) => score != null)?.score ?? 1;
  const least = Math.max(LEAST, best * PART_OF_BEST);
  const end = best < least ? 0 : rows.findIndex(({ score }) => score != null && score < least);
  return end < 0 ? rows : rows.slice(0, end);
}

/** How long a search waits for a vector of its question, unless it says otherwise. */
export const QUERY_WAIT_MS = 2_000;

const MinScore = z.number().min(0).max(1).nullish();
const WaitMs = z.int().min(0).max(QUERY_WAIT_MS).nullish();

export const SearchRequest = z
  .object({
    tenant_id: TenantId,
    query: textOf(z.string(), 1, QUERY_MAX),
    fleet_ids: listOf(FleetId, 100).nullish(),
    shared_only: SharedOnly.nullish(),
    filter_agent_id: AgentId.nullish().describe("Only memories of this author."),
    caller_agent_id: AgentId.nullish().describe(
      "The agent the search runs as: its private memories are seen, and its trust and home fleet decide what else is.",
    ),
    agent_id: AgentId.nullish().describe(
      "Who is looking: sees its own private memories besides what the caller sees. Neither trust nor author goes by it.",
    ),
    memory_type_filter: MemoryType.nullish(),
    memory_type: MemoryType.nullish().describe("Alias of memory_type_filter."),
    status_filter: MemoryStatus.nullish(),
    status: MemoryStatus.nullish().describe("Alias of status_filter."),
    valid_at: ValidAt.nullish(),
    happened_from: HappenedWindow.from.nullish(),
    happened_to: HappenedWindow.to.nullish(),
    utc_offset_minutes: DayOffset.nullish(),
    top_k: z.int().min(1).max(TOP_K_MAX).nullish(),
    limit: z.int().min(1).max(TOP_K_MAX).nullish().describe("Alias of top_k."),
    min_similarity: z.number().min(0).max(1).nullish().describe("Floor on the raw cosine; keyword hits survive it."),
    min_score: MinScore.describe(
      "Rows that score below it are not returned, not even keyword hits. A row put in place of a superseded one stands " +
        "where that one passed. None unless given.",
    ),
    sink_unused: SinkUnused.nullish(),
    wait_ms: WaitMs.describe(
      "Milliseconds that the embedding model may take, loading it included; past them the search goes by keyword only, " +
        `with a warning. ${QUERY_WAIT_MS} unless given.`,
    ),
    diagnostic: z.boolean().nullish(),
    ...ViewMembers.shape,
  })
  .check(onePlace)
  .meta({ id: "SearchRequest" });
export type SearchRequest = z.infer<typeof SearchRequest>;

export const RecallRequest = SearchRequest.safeExtend({
  min_score: MinScore.describe(
    "Rows that score below it are neither summed up nor returned, not even keyword hits. Unless it is given, nothing is " +
      `where even the best row scores below ${RECALL_MIN_SCORE}, and all is where it does not; 0 for no floor. Where ` +
      "nothing is left of what was found, the summary says that there is nothing, and, unless min_score was given, the " +
      "warning `below_min_score` how many rows there were.",
  ),
  items_alias: z
    .boolean()
    .nullish()
    .describe("Whether `items`, a copy of `memories`, is there too: true unless fields are chosen."),
  max_tokens: z
    .int()
    .min(16)
    .max(4_000)
    .nullish()
    .describe("Budget of the summary in tokens (about 4 characters each)."),
}).meta({ id: "RecallRequest" });
export type RecallRequest = z.infer<typeof RecallRequest>;

export const RETRIEVAL_STRATEGIES = ["hybrid", "temporal", "recent_context", "keyword_only"] as const;
export type RetrievalStrategy = (typeof RETRIEVAL_STRATEGIES)[number];

export const CandidateView = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    memory_type: MemoryType,
    status: MemoryStatus,
    score: z.number(),
    vec_sim: z.number().nullable(),
    fts_score: z.number(),
    fts_match: z.boolean(),
    fts_global_floor_bypass: z.boolean(),
    freshness: z.number(),
    entity_boost: z.number(),
    recall_boost: z.number(),
    temporal_boost: z.number(),
    status_penalty: z.number(),
    pool_arms: z.array(z.string()),
    has_embedding: z
      .boolean()
      .describe(
        "Whether its vector was compared with the question's: not where either waits for one, or the model cannot read it.",
      ),
    excluded: z
      .enum(["below_min_similarity", "below_min_score", "same_text", "trimmed_by_top_k", "answered_by_successor"])
      .nullable(),
    same_text_as: z.string().nullable().describe("The newer row that is shown in its place: their texts are equal."),
    signals: z
      .record(z.string(), z.number())
      .describe(
        "What each signal adds to the row's evidence, in nats, below zero where it counts against it; those of nothing are left out.",
      ),
    run_pull: z.number().optional().describe("Nats that the best row of its run adds; left out for none."),
    overtaken_loss: z
      .number()
      .optional()
      .describe(
        "Nats, below zero, that a row of another time takes, which says the same of the same; left out for none.",
      ),
    why: z.string().describe("In words: why this row stands where it stands."),
  })
  .meta({ id: "CandidateView" });
export type CandidateView = z.infer<typeof CandidateView>;

const Milliseconds = z.number().describe("Milliseconds, to the hundredth.");
export const StageTime = z
  .object({
    name: z.string(),
    ms: Milliseconds,
    parts: z.array(z.object({ name: z.string(), ms: Milliseconds })).optional(),
  })
  .meta({ id: "StageTime" });
export type StageTime = z.infer<typeof StageTime>;

const sharedDiagnostic = {
  retrieval_strategy: z.enum(RETRIEVAL_STRATEGIES),
  min_score_applied: z.number().describe("0 for none."),
  excluded_below_min_score: z.int(),
  search_params: JsonRecord,
  stages: z
    .array(StageTime)
    .describe(
      "How long each stage took, in order: `embed` (waiting for the question's vectors, beyond what was done meanwhile), " +
        "`names` (the entities it names), `candidates` (with the parts `vectors`, `words` and `rows`), " +
        "`scoring`, `superseded-by-newest`, `placing` (floors, equal texts, successors), `shown`, and of a recall `summary`.",
    ),
  all_candidates: z.array(CandidateView),
  entity_matches: z.int().nullable(),
  entity_match_declined: z.boolean(),
};
export const SearchDiagnostic = z
  .object({
    ...sharedDiagnostic,
    top_k_requested: z.int(),
    min_similarity_applied: z.number().describe("0 for none."),
    candidates_considered: z.int(),
    returned: z.int(),
    excluded_below_min_similarity: z.int(),
    excluded_by_top_k_trim: z.int(),
  })
  .meta({ id: "SearchDiagnostic" });
export type SearchDiagnostic = z.infer<typeof SearchDiagnostic>;

export const SearchReply = z
  .object({
    items: z.array(Memory),
    recall_tracked: z.boolean(),
    diagnostic: SearchDiagnostic.nullable(),
    warnings: z.array(Warning).nullable(),
  })
  .meta({ id: "SearchReply" });
export type SearchReply = z.infer<typeof SearchReply>;
/** Whatever shows chosen fields has its usage beside them; it is tried first, for both may have found nothing. */
export const SearchReplies = z.union([
  SearchReply.extend({ items: z.array(MemoryView), usage: Usage }).meta({ id: "SearchReplyView" }),
  SearchReply,
]);
export type SearchReplies = z.infer<typeof SearchReplies>;

export const RecallDiagnostic = z
  .object({
    ...sharedDiagnostic,
    recall_prompt: z.string().nullable(),
    recall_raw: z.string().nullable(),
    recall_model: z.string(),
    recall_provider: z.string(),
    top_k_used: z.int(),
  })
  .meta({ id: "RecallDiagnostic" });

export const RecallReply = z
  .object({
    query: z.string(),
    summary: z.string(),
    memory_count: z.int(),
    memories: z.array(Memory),
    items: z.array(Memory).optional(),
    recall_ms: z.int(),
    recall_provider: z.string(),
    recall_model: z.string(),
    diagnostic: RecallDiagnostic.nullable(),
    warnings: z.array(Warning).nullable(),
  })
  .meta({ id: "RecallReply" });
export type RecallReply = z.infer<typeof RecallReply>;
export const RecallReplies = z.union([
  RecallReply.extend({ memories: z.array(MemoryView), items: z.array(MemoryView).optional(), usage: Usage }).meta({
    id: "RecallReplyView",
  }),
  RecallReply,
]);
export type RecallReplies = z.infer<typeof RecallReplies>;
