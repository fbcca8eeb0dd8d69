import { z } from "zod";
import { Visibility } from "./access.ts";
import {
  countedText,
  End,
  instant,
  JsonRecord,
  listOf,
  RunId,
  SourceUri,
  Timestamp,
  textOf,
  Uuid,
  Version,
  WallTime,
} from "./common.ts";
import { EmbeddingStats } from "./embedding.ts";
import { PossibleChange } from "./observing/possible-change.ts";
import { onePlace, Written } from "./places/place.ts";
import { Usage } from "./usage.ts";

export const MEMORY_TYPES = [
  "fact",
  "episode",
  "decision",
  "preference",
  "task",
  "semantic",
  "intention",
  "plan",
  "commitment",
  "action",
  "outcome",
  "cancellation",
  "rule",
  "insight",
] as const;
export const MemoryType = z.enum(MEMORY_TYPES).meta({ id: "MemoryType" });
export type MemoryType = z.infer<typeof MemoryType>;

/** Types that only Cairn itself writes; a caller that sets one is refused. */
export const RESERVED_TYPES: readonly MemoryType[] = ["outcome", "rule", "insight"];
/** Deprecated types: accepted from callers and stored as `fact`. */
export const DEPRECATED_TYPES: readonly MemoryType[] = ["semantic", "intention", "commitment", "cancellation"];

export const MEMORY_STATUSES = [
  "active",
  "pending",
  "confirmed",
  "cancelled",
  "outdated",
  "conflicted",
  "archived",
  "deleted",
] as const;
export const MemoryStatus = z.enum(MEMORY_STATUSES).meta({ id: "MemoryStatus" });
export type MemoryStatus = z.infer<typeof MemoryStatus>;
/** Statuses in which a memory no longer carries what was drawn from it. */
export const FALLEN_STATUSES: readonly MemoryStatus[] = ["outdated", "conflicted", "deleted"];
export const LIVE_STATUSES: readonly MemoryStatus[] = ["active", "confirmed", "pending"];

export const CONTENT_MIN = 10;
export const CONTENT_MAX = 10_000;
export const TITLE_MAX = 500;
export const BULK_MAX = 100;
export const DEFAULT_WEIGHT = 0.5;

export const Content = textOf(z.string().trim(), CONTENT_MIN, CONTENT_MAX, {
  short: (length) =>
    `Memory content too short (minimum ${CONTENT_MIN} characters): it has ${length}. ` +
    "Write a whole statement, such as 'User: likes tea'.",
  long: `Memory content too long (maximum ${CONTENT_MAX} characters).`,
}).describe("The statement itself; the space around it does not count.");
export const Weight = z.number().min(0).max(1).describe("Importance from 0 to 1.");

const isWritable = (type: MemoryType): boolean => !RESERVED_TYPES.includes(type);

/** A type as callers may set it: reserved ones are refused. */
export const WritableType = MemoryType.refine(isWritable, {
  error: (issue) => `memory_type '${issue.input}' is reserved: only Cairn writes it`,
}).meta({ id: "WritableType", enum: MEMORY_TYPES.filter(isWritable) });

/** The type as it is stored: deprecated ones become `fact`. */
export const storedType = (type: MemoryType): MemoryType => (DEPRECATED_TYPES.includes(type) ? "fact" : type);

export const EntityLink = z.object({ entity_id: Uuid, role: countedText(1, 100) }).meta({ id: "EntityLink" });
export type EntityLink = z.infer<typeof EntityLink>;

/** What a memory says and may carry, as a caller writes it: the shared part of single and bulk writes. */
export const MemoryItem = z.object({
  content: Content,
  memory_type: WritableType.nullish(),
  weight: Weight.nullish(),
  source_uri: SourceUri.nullish(),
  run_id: RunId.nullish(),
  metadata: JsonRecord.nullish(),
  tags: listOf(countedText(0, 100), 100).nullish().describe("Folded into `metadata.tags`."),
  entity_links: listOf(EntityLink, 100).nullish(),
  expires_at: Timestamp.nullish(),
  subject_entity_id: Uuid.nullish(),
  predicate: countedText(0, 500).nullish(),
  object_value: countedText(0, CONTENT_MAX).nullish(),
  ts_valid_start: Timestamp.nullish().describe("From when the statement holds."),
  ts_valid_end: End.nullish().describe("Until when the statement holds; a date without a time is the end of that day."),
  reference_datetime: WallTime.nullish().describe(
    "When it was told: what relative dates refer to, days as at its offset. A statement of no other time happened then.",
  ),
  status: MemoryStatus.exclude(["deleted"]).nullish(),
  visibility: Visibility.nullish(),
});
export type MemoryItem = z.infer<typeof MemoryItem>;

export const WRITE_MODES = ["fast", "strong", "auto"] as const;
export const WriteMode = z
  .enum(WRITE_MODES)
  .describe("strong refuses near-duplicates; auto is strong for decisions and commitments; fast only exact ones.");

export const MemoryWrite = MemoryItem.extend({
  write_mode: WriteMode.nullish(),
  persist: z.boolean().nullish().describe("false: a dry run that stores nothing."),
  ...Written,
})
  .check(onePlace)
  .meta({ id: "MemoryWrite" });
export type MemoryWrite = z.infer<typeof MemoryWrite>;

/** Any object: what is wrong inside one, missing content included, is that item's own failure and not the batch's. */
const BulkItem = z.looseObject({ content: z.unknown().optional() }).meta({ required: ["content"] });

export const BulkWrite = z
  .object({
    ...Written,
    visibility: Visibility.nullish().describe("For the items that name none."),
    items: listOf(BulkItem, BULK_MAX, 1).describe(
      "Each item is checked on its own: a bad one fails alone. Fields as in a single write, but for its author, fleet, `write_mode` and `persist`.",
    ),
  })
  .check(onePlace)
  .meta({ id: "BulkWrite" });
export type BulkWrite = z.infer<typeof BulkWrite>;

export const BulkResult = z
  .object({
    created: z.int(),
    duplicates: z.int(),
    errors: z.int(),
    results: z.array(
      z.object({
        index: z.int(),
        client_request_id: z.string(),
        status: z.enum(["created", "duplicate_attempt", "duplicate_content", "error"]),
        id: z.string().nullable(),
        duplicate_of: z.string().nullable(),
        error: z.string().nullable(),
        embedding_pending: z.boolean().describe("It is found by keyword only, as its vector is still to come."),
      }),
    ),
    bulk_ms: z.int(),
  })
  .meta({ id: "BulkResult" });
export type BulkResult = z.infer<typeof BulkResult>;

export const ScoreParts = z
  .object({
    vec_sim: z.number(),
    fts_score: z.number(),
    freshness: z.number(),
    entity_boost: z.number(),
    recall_boost: z.number(),
    temporal_boost: z.number(),
    status_penalty: z.number(),
  })
  .meta({ id: "ScoreParts", description: "What the score is made of; the README names each part." });
export type ScoreParts = z.infer<typeof ScoreParts>;

/** Why a row was demoted, as clients know it: what the finding made of the older row. */
export const DEMOTION_REASONS = { outdated: "rdf_conflict", conflicted: "semantic_conflict" } as const;

export const SupersededBy = z
  .object({
    old_memory_id: z.string(),
    old_status: z.string(),
    reason: z.enum(Object.values(DEMOTION_REASONS)),
    old_content_preview: z.string(),
    direction: z.literal("canonical"),
  })
  .meta({ id: "SupersededBy", description: "An older memory that this one replaced or contradicts." });
export type SupersededBy = z.infer<typeof SupersededBy>;

/** What every reply about a memory carries, whatever the operation. */
const MemoryBase = z.object({
  id: z.string().meta({ format: "uuid" }),
  tenant_id: z.string(),
  fleet_id: z.string().nullable(),
  agent_id: z.string(),
  agent_display_name: z.string().nullable(),
  memory_type: MemoryType,
  title: z.string().nullable(),
  content: z.string(),
  weight: z.number(),
  source_uri: z.string().nullable(),
  run_id: z.string().nullable(),
  metadata: JsonRecord.nullable(),
  system_metadata: JsonRecord.nullable(),
  created_at: instant(),
  expires_at: instant().nullable(),
  subject_entity_id: z.string().nullable(),
  predicate: z.string().nullable(),
  object_value: z.string().nullable(),
  ts_valid_start: instant().nullable(),
  ts_valid_end: instant().nullable(),
  status: MemoryStatus,
  visibility: Visibility,
  recall_count: z.int(),
  last_recalled_at: instant().nullable(),
  supersedes_id: z.string().nullable(),
  version: Version,
});

export const Memory = MemoryBase.extend({
  entity_links: z.array(EntityLink),
  similarity: z.number().nullable(),
  score: z.number().nullable(),
  score_parts: ScoreParts.nullable(),
  injected: z.boolean(),
  superseded_by: z.array(SupersededBy).nullable(),
  may_have_changed: z.array(PossibleChange).nullable(),
  confidence: z.number().nullable(),
  is_inferred: z.boolean(),
  scope: JsonRecord.nullable(),
  usage: Usage.nullable(),
}).meta({ id: "Memory", description: "One stored statement." });
export type Memory = z.infer<typeof Memory>;

/** A link with what is known of its entity; a link to an entity that Cairn does not know stands alone. */
const LinkedEntity = EntityLink.extend({
  entity_type: z.string().optional(),
  canonical_name: z.string().optional(),
  attributes: JsonRecord.nullish().describe("Null where those of all links do not fit into one reply: see the entity."),
});

export const MemoryDetail = MemoryBase.extend({
  entity_links: z.array(LinkedEntity),
  content_hash: z.string(),
  deleted_at: instant().nullable(),
  embedding_preview: z.array(z.number()).nullable(),
  embedding_stats: EmbeddingStats.nullable(),
}).meta({ id: "MemoryDetail", description: "One memory as read by id: with its hash and a look at its vector." });
export type MemoryDetail = z.infer<typeof MemoryDetail>;
