import { z } from "zod";
import { isJsonObject } from "../kernel/json.ts";
import { Visibility } from "./access.ts";
import {
  AgentId,
  countedText,
  DayOffset,
  End,
  FleetId,
  JsonRecord,
  listOf,
  Moment,
  SourceUri,
  TenantId,
  Timestamp,
  Uuid,
} from "./common.ts";
import {
  CONTENT_MAX,
  Content,
  EntityLink,
  MemoryStatus,
  storedType,
  TITLE_MAX,
  Weight,
  WritableType,
} from "./memory.ts";
import { MemoryAddressQuery } from "./memory-query.ts";

export const METADATA_MODES = ["merge", "replace"] as const;
export const MetadataMode = z.enum(METADATA_MODES);

export const MemoryPatchBody = z
  .object({
    content: Content.optional(),
    memory_type: WritableType.transform(storedType).optional(),
    weight: Weight.optional(),
    title: countedText(0, TITLE_MAX).nullish(),
    status: MemoryStatus.exclude(["deleted"]).optional().describe("To delete, use DELETE."),
    visibility: Visibility.optional(),
    metadata: JsonRecord.nullish(),
    metadata_mode: MetadataMode.optional().describe("How `metadata` is applied: merged by top-level key, or replaced."),
    source_uri: SourceUri.nullish(),
    subject_entity_id: Uuid.nullish(),
    predicate: countedText(0, 500).nullish(),
    object_value: countedText(0, CONTENT_MAX).nullish(),
    ts_valid_start: Timestamp.nullish(),
    ts_valid_end: End.nullish(),
    expires_at: Timestamp.nullish(),
    entity_links: listOf(EntityLink, 100).optional().describe("Added to those there are; none is removed."),
  })
  .meta({
    id: "MemoryPatch",
    description: "Only the fields to change; null clears a field.",
    minProperties: 1,
    dependentRequired: { metadata_mode: ["metadata"] },
  });
export type MemoryPatchBody = z.infer<typeof MemoryPatchBody>;

export const MemoryPatchQuery = z.object({
  tenant_id: TenantId,
  agent_id: AgentId.optional(),
  metadata_mode: MetadataMode.optional(),
});
export type MemoryPatchQuery = z.infer<typeof MemoryPatchQuery>;

export const StatusChange = z.object({ status: MemoryStatus }).meta({ id: "StatusChange" });
export type StatusChange = z.infer<typeof StatusChange>;
export const StatusChanged = z
  .object({ memory_id: z.string(), old_status: MemoryStatus, new_status: MemoryStatus })
  .meta({ id: "StatusChanged" });
export type StatusChanged = z.infer<typeof StatusChanged>;

/** Whether a deletion is for good. */
const Erase = z
  .boolean()
  .describe("Erases for good and at once instead of hiding; deleted memories too. Administrators only.");
export const MemoryDeleteQuery = MemoryAddressQuery.extend({ erase: Erase.default(false) });
export type MemoryDeleteQuery = z.infer<typeof MemoryDeleteQuery>;

export const IDS_MAX = 1_000;
export const BulkDelete = z
  .object({
    tenant_id: TenantId,
    ids: listOf(Uuid, IDS_MAX, 1),
    agent_id: AgentId.nullish(),
    erase: Erase.optional(),
  })
  .meta({ id: "BulkDelete" });
export type BulkDelete = z.infer<typeof BulkDelete>;
export const Deleted = z.object({ deleted: z.int() }).meta({ id: "Deleted" });
export type Deleted = z.infer<typeof Deleted>;

/** Strict, as its body is: a filter that is misspelt must not delete what it was to spare. */
export const MatchingDeleteQuery = z.strictObject({
  tenant_id: TenantId,
  fleet_id: FleetId.optional(),
  agent_id: AgentId.optional().describe("Only memories of this author."),
  memory_type: countedText(0, 100).optional(),
  status: countedText(0, 100).optional(),
  erase: Erase.default(false),
});
export type MatchingDeleteQuery = z.infer<typeof MatchingDeleteQuery>;

export const Correction = z
  .strictObject({ content: Content, source_uri: SourceUri.nullish() })
  .meta({ id: "Correction", description: "What holds now." });
export type Correction = z.infer<typeof Correction>;
export const Corrected = z
  .object({
    id: z.string().meta({ format: "uuid" }).describe("The memory that holds now."),
    replaced: z.string().meta({ format: "uuid" }),
    replaced_status: MemoryStatus,
  })
  .meta({ id: "Corrected" });
export type Corrected = z.infer<typeof Corrected>;

export const METADATA_FILTER_MAX = 20;

/** Counts the pairs of a filter before any of them is looked at. */
function fewPairs(input: unknown, { issues }: z.RefinementCtx): unknown {
  if (!isJsonObject(input) || Object.keys(input).length <= METADATA_FILTER_MAX) return input;
  issues.push({ code: "custom", message: `At most ${METADATA_FILTER_MAX} pairs`, input });
  return z.NEVER;
}

export const MatchingDeleteBody = z
  .strictObject({
    exclude_ids: listOf(Uuid, IDS_MAX).nullish(),
    metadata_filter: z
      .preprocess(fewPairs, z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))
      .nullish()
      .describe("Metadata members that must all be equal; numbers and booleans compare by their JSON text."),
  })
  .meta({ id: "MatchingDelete" });
export type MatchingDeleteBody = z.infer<typeof MatchingDeleteBody>;

/** Strict like the deletion that it takes back. */
export const MatchingRestore = z
  .strictObject({
    tenant_id: TenantId,
    deleted_at: Timestamp.optional().describe("The moment of one deletion, as its `X-Deleted-At` told it."),
    deleted_since: Moment.optional().describe("Deletions from this moment on; not beside `deleted_at`."),
    deleted_until: Moment.optional().describe("Deletions up to this moment; not beside `deleted_at`."),
    utc_offset_minutes: DayOffset.optional(),
    fleet_id: FleetId.optional(),
    agent_id: AgentId.optional().describe("Only memories of this author."),
    memory_type: countedText(0, 100).optional(),
    exclude_ids: listOf(Uuid, IDS_MAX).optional(),
  })
  .meta({ id: "MatchingRestore" });
export type MatchingRestore = z.infer<typeof MatchingRestore>;
export const Restored = z
  .object({
    restored: z.int(),
    duplicates: z.int().describe("Left deleted: a live memory says the same by now."),
    over_limit: z.int().describe("Left deleted: the tenant is full."),
  })
  .meta({ id: "Restored" });
export type Restored = z.infer<typeof Restored>;

export const FleetList = z.array(
  z.object({ fleet_id: z.string(), memory_count: z.int(), agent_count: z.int() }).meta({ id: "Fleet" }),
);
export type FleetList = z.infer<typeof FleetList>;
export const TenantList = z.array(z.string());
