import { z } from "zod";
import { Visibility } from "./access.ts";
import {
  AgentId,
  countedText,
  DayOffset,
  FleetId,
  HappenedWindow,
  Moment,
  RunId,
  TenantId,
  Uuid,
  ValidAt,
} from "./common.ts";
import { Memory, MemoryStatus, Weight } from "./memory.ts";
import { MemoryView, ViewQuery } from "./memory-view.ts";
import { onePlace, SharedOnly } from "./places/place.ts";
import { Usage } from "./usage.ts";

export const LIST_DEFAULT = 50;
export const LIST_MAX = 500;

export const MEMORY_SORTS = [
  "created_at",
  "weight",
  "memory_type",
  "agent_id",
  "status",
  "recall_count",
  "fleet_id",
  "tenant_id",
  "expires_at",
  "deleted_at",
] as const;
export type MemorySort = (typeof MEMORY_SORTS)[number];

export const STATS_SCOPES = ["agent", "fleet", "all"] as const;
export const StatsScope = z
  .enum(STATS_SCOPES)
  .describe("agent: one's own memories; fleet: those of a fleet; all: the whole tenant. Wider ones need more trust.");
export type StatsScope = z.infer<typeof StatsScope>;

const filters = {
  tenant_id: TenantId,
  fleet_id: FleetId.optional(),
  shared_only: SharedOnly.default(false),
  agent_id: AgentId.optional().describe("Who is looking: sees its own private memories plus all shared ones."),
  memory_type: countedText(0, 100).optional(),
  status: countedText(0, 100).optional(),
};

export const BulkHeaders = z.object({
  "x-bulk-attempt-id": z
    .string()
    .regex(/^[A-Za-z0-9._:-]{1,128}$/)
    .optional()
    .describe("Name of this attempt: a retry with the same name stores nothing twice."),
});

export const BulkQuery = z.object({
  wait: z
    .enum(["searchable"])
    .optional()
    .describe("Answer when all items are found by meaning, or after 20 seconds, with `embedding_pending` on the rest."),
});
export type BulkQuery = z.infer<typeof BulkQuery>;

export const MemoryListQuery = z
  .object({
    ...filters,
    written_by: AgentId.optional().describe("Only memories of this author."),
    with_shared: z
      .boolean()
      .default(false)
      .describe("Beside fleet_id: also rows of no fleet and those of the whole organisation, as a search has them."),
    visibility: Visibility.optional(),
    run_id: RunId.optional(),
    exclude_memory_types: z.array(countedText(0, 100)).max(50).optional(),
    weight_min: Weight.optional(),
    weight_max: Weight.optional(),
    created_after: Moment.optional(),
    created_before: Moment.optional().describe("A date without a time is in it as a whole."),
    happened_from: HappenedWindow.from.optional(),
    happened_to: HappenedWindow.to.optional(),
    valid_at: ValidAt.optional(),
    utc_offset_minutes: DayOffset.default(0),
    cursor: countedText(0, 500).optional().describe("`next_cursor` of the page before; only with the default sort."),
    sort: z.enum(MEMORY_SORTS).default("created_at"),
    order: z.enum(["asc", "desc"]).default("desc"),
    offset: z.int().min(0).default(0),
    limit: z.int().min(1).max(LIST_MAX).default(LIST_DEFAULT),
    include_deleted: z.boolean().default(false),
    scope: StatsScope.optional(),
    ...ViewQuery.shape,
  })
  .refine((q) => (q.weight_min ?? 0) <= (q.weight_max ?? 1), {
    error: "weight_min must not be above weight_max",
    path: ["weight_min"],
  })
  .check(onePlace);
export type MemoryListQuery = z.infer<typeof MemoryListQuery>;

export const MemoryPage = z
  .object({ items: z.array(Memory), next_cursor: z.string().nullable() })
  .meta({ id: "MemoryPage" });
export type MemoryPage = z.infer<typeof MemoryPage>;
export const MemoryPageView = MemoryPage.extend({ items: z.array(MemoryView), usage: Usage }).meta({
  id: "MemoryPageView",
});
/** The page of a view has its usage beside the items; it is tried first, for both may be without any. */
export const ListReply = z.union([MemoryPageView, MemoryPage]);
export type ListReply = z.infer<typeof ListReply>;

export const MemoryStatsQuery = z
  .object({ ...filters, include_deleted: z.boolean().default(false), scope: StatsScope.optional() })
  .check(onePlace);
export type MemoryStatsQuery = z.infer<typeof MemoryStatsQuery>;

const Tally = z.record(z.string(), z.int());
export const MemoryStats = z
  .object({
    total: z.int(),
    by_type: Tally,
    by_agent: Tally,
    by_status: Tally,
    by_tenant: Tally,
    deleted: z.int(),
    total_including_deleted: z.int(),
  })
  .meta({ id: "MemoryStats" });
export type MemoryStats = z.infer<typeof MemoryStats>;

export const MemoryCountQuery = z
  .object({
    tenant_id: TenantId,
    fleet_id: FleetId.optional(),
    shared_only: SharedOnly.default(false),
    status: MemoryStatus.optional(),
  })
  .check(onePlace);
export type MemoryCountQuery = z.infer<typeof MemoryCountQuery>;
export const MemoryCount = z.object({ count: z.int() }).meta({ id: "MemoryCount" });
export type MemoryCount = z.infer<typeof MemoryCount>;

/** How a memory is addressed: its id in the path, its tenant in the query. */
export const MemoryPath = z.object({ memory_id: Uuid });
export const MemoryAddressQuery = z.object({ tenant_id: TenantId, agent_id: AgentId.optional() });
export const ContradictionsQuery = MemoryAddressQuery.extend({
  wait_ms: z.int().min(0).max(2_000).default(0).describe("Longest to wait for the detector to look at this version."),
});

export const SimilarReply = z
  .object({
    memory_id: z.string().meta({ format: "uuid" }),
    searchable: z
      .boolean()
      .describe(
        "Whether the memory has the vector that it is compared by: not while it waits for it, nor where the model cannot read it. Nothing is found without.",
      ),
    items: z.array(
      z.object({
        id: z.string().meta({ format: "uuid" }),
        content_preview: z.string(),
        status: MemoryStatus,
        created_at: z.string().meta({ format: "date-time" }),
        similarity: z.number(),
      }),
    ),
  })
  .meta({ id: "SimilarMemories" });
export type SimilarReply = z.infer<typeof SimilarReply>;
