import { z } from "zod";
import type { JsonObject } from "../../kernel/json.ts";
import { isJsonObject } from "../../kernel/json.ts";
import { NEW_AGENT_TRUST, Visibility } from "../access.ts";
import {
  AgentId,
  countedText,
  DayOffset,
  FleetId,
  JsonRecord,
  listOf,
  Moment,
  RunId,
  SourceUri,
  TenantId,
  Timestamp,
  textOf,
  Uuid,
} from "../common.ts";
import { Collection, DocId } from "../document.ts";
import { ALIASES_MAX, ENTITY_NAME_MAX, EntityType, RELATION_TYPE_MAX } from "../entity.ts";
import { CONTENT_MAX, Content, EntityLink, MemoryStatus, MemoryType, TITLE_MAX, Weight } from "../memory.ts";
import { onePlace, WrittenForAll } from "../places/place.ts";
import { ProjectRegistry } from "../projects/registry.ts";
import { SkillApproval } from "../skill.ts";

/** A name that an id of another tenant stands for: ids of entities are made of tenant and name. */
const NameOfId = textOf(z.string().trim(), 1, ENTITY_NAME_MAX).nullish();

/** The format of exports that this release writes, and the newest that it reads. */
export const EXPORT_FORMAT = 1;

/** The first line of an export. */
export const ExportHeader = z.object({
  record: z.literal("export"),
  format: z.int().min(1),
  release: z.string().describe("The Cairn that wrote it."),
  exported_at: Timestamp,
  tenant_id: z.string(),
  filter: JsonRecord.describe("What was asked for; empty for everything."),
});
export type ExportHeader = z.infer<typeof ExportHeader>;

/** The last line of an export: without it, the rest is missing. */
export const ExportEnd = z.object({
  record: z.literal("end"),
  counts: z.record(z.string(), z.int()).describe("Records by kind."),
});
export type ExportEnd = z.infer<typeof ExportEnd>;

const AgentRecord = z.object({
  record: z.literal("agent"),
  agent_id: AgentId,
  display_name: countedText(0, 200).nullish(),
  fleet_id: FleetId.nullish(),
  trust_level: z.int().min(0).max(3).nullish(),
  created_at: Timestamp.nullish(),
});

const EntityName = textOf(z.string().trim(), 1, ENTITY_NAME_MAX);

/** What is entered by hand of an entity, for one fleet or for all: names that follow from texts are read in them again. */
const EntityRecord = z.object({
  record: z.literal("entity"),
  id: Uuid.nullish().describe("As it was there; here the id is made of tenant and name."),
  entity_type: EntityType,
  canonical_name: EntityName,
  created_at: Timestamp.nullish(),
  entries: listOf(
    z.object({
      fleet_id: FleetId.nullable(),
      entity_type: EntityType,
      canonical_name: EntityName,
      attributes: JsonRecord.nullable(),
      aliases: listOf(EntityName, ALIASES_MAX),
      created_at: Timestamp,
      updated_at: Timestamp,
    }),
    1_000,
  ).default([]),
});

/** A memory: what another tool has of it is enough, its content alone at the least. */
const MemoryRecord = z.object({
  record: z.literal("memory"),
  id: Uuid.nullish().describe("Kept; a row of this id that is there already is left as it is."),
  content: Content,
  title: countedText(0, TITLE_MAX).nullish(),
  memory_type: MemoryType.nullish(),
  weight: Weight.nullish(),
  agent_id: AgentId.nullish().describe("Who wrote it; the caller's, where it is left out."),
  fleet_id: FleetId.nullish(),
  visibility: Visibility.nullish(),
  source_uri: SourceUri.nullish(),
  run_id: RunId.nullish(),
  metadata: JsonRecord.nullish(),
  system_metadata: JsonRecord.nullish(),
  tags: listOf(countedText(0, 100), 100).nullish().describe("Folded into `metadata.tags`."),
  entity_links: listOf(EntityLink.extend({ name: NameOfId }), 100).nullish(),
  created_at: Timestamp.nullish().describe("When it was written; now, where it is left out."),
  expires_at: Timestamp.nullish(),
  subject_entity_id: Uuid.nullish(),
  subject_name: NameOfId,
  predicate: countedText(0, 500).nullish(),
  object_value: countedText(0, CONTENT_MAX).nullish(),
  ts_valid_start: Timestamp.nullish(),
  ts_valid_end: Timestamp.nullish(),
  status: MemoryStatus.exclude(["deleted"]).nullish(),
  recall_count: z.int().min(0).nullish(),
  last_recalled_at: Timestamp.nullish(),
  supersedes_id: Uuid.nullish(),
  checked_at: Timestamp.nullish().describe("When it was compared with others: it is not compared again."),
  former_status: MemoryStatus.exclude(["deleted"]).nullish().describe("What it was before a finding demoted it."),
});

const documentFields = {
  fleet_id: FleetId.nullish(),
  collection: Collection,
  doc_id: DocId,
  data: JsonRecord,
  created_at: Timestamp.nullish(),
  updated_at: Timestamp.nullish(),
};
const DocumentRecord = z.object({ record: z.literal("document"), ...documentFields });
const KeystoneRecord = z.object({ record: z.literal("keystone"), ...documentFields });
const SkillRecord = z.object({
  record: z.literal("skill"),
  ...documentFields,
  approval: SkillApproval.nullish().describe(
    "The word on which it is delivered; kept where it fits what the skill says.",
  ),
});

const RelationRecord = z.object({
  record: z.literal("relation"),
  id: Uuid,
  fleet_id: FleetId.nullish(),
  from_entity_id: Uuid,
  from_name: NameOfId,
  relation_type: countedText(1, RELATION_TYPE_MAX),
  to_entity_id: Uuid,
  to_name: NameOfId,
  weight: z.number(),
  evidence_memory_id: Uuid.nullish(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const place = z.int().min(0);
const FoundStatus = z.enum(["outdated", "conflicted", "possible"]);
const FINDING_WHY_MAX = 300;
const FindingRecord = z.object({
  record: z.literal("finding"),
  newer_id: Uuid,
  older_id: Uuid,
  status: FoundStatus,
  rule: z.string().max(100),
  confidence: z.number(),
  why: z.string().max(FINDING_WHY_MAX).nullish(),
  newer_start: place,
  newer_end: place,
  older_start: place,
  older_end: place,
  created_at: Timestamp,
  retracted_at: Timestamp.nullish(),
  retracted_why: z
    .enum(["changed", "moved", "deleted", "undone", "cancelled", "archived", "expired", "rejudged"])
    .nullish(),
  detected_status: FoundStatus.nullish().describe("What a review made `status` of."),
  review: z.enum(["accepted", "both_stand"]).nullish(),
  reviewed_at: Timestamp.nullish(),
  reviewed_by: AgentId.nullish(),
});

const SettingsRecord = z.object({ record: z.literal("settings"), tree: JsonRecord });

const ProjectsRecord = z.object({
  record: z.literal("projects"),
  projects: ProjectRegistry.shape.projects.describe(
    "What is known of the projects, by which a folder is told to be one.",
  ),
});

/** What a line of an export holds, in the order in which they come. */
export const TransferRecord = z
  .discriminatedUnion("record", [
    SettingsRecord,
    ProjectsRecord,
    AgentRecord,
    EntityRecord,
    RelationRecord,
    KeystoneRecord,
    DocumentRecord,
    SkillRecord,
    MemoryRecord,
    FindingRecord,
  ])
  .meta({ id: "TransferRecord", description: "One thing that moves from one Cairn, or another tool, to another." });
export type TransferRecord = z.infer<typeof TransferRecord>;
export type MemoryRecord = z.infer<typeof MemoryRecord>;
export type RecordKind = TransferRecord["record"];

/** What says what agents are told and may do: it comes from a source that somebody trusts, and from no other. */
export const GOVERNING_KINDS = [
  "settings",
  "projects",
  "agent",
  "keystone",
  "skill",
] as const satisfies readonly RecordKind[];
export type GoverningKind = (typeof GOVERNING_KINDS)[number];
/** Whether a record, checked or not, is of such a kind. An agent with no more than any author has is not: a home is more. */
export const isGoverning = (sent: unknown): sent is { readonly record: GoverningKind } =>
  isJsonObject(sent) && GOVERNING_KINDS.some((kind) => kind === sent.record) && !isPlainAgent(sent);

const isPlainAgent = ({ record, trust_level, fleet_id }: JsonObject): boolean =>
  record === "agent" && (trust_level ?? NEW_AGENT_TRUST) === NEW_AGENT_TRUST && fleet_id == null;

export type RecordOf<Kind extends RecordKind> = Extract<TransferRecord, { readonly record: Kind }>;

/** What is exported; everything of the tenant where nothing is named. */
export const ExportQuery = z
  .object({
    tenant_id: TenantId,
    fleet_id: FleetId.optional().describe("Only what belongs to this fleet."),
    shared_only: WrittenForAll.optional(),
    agent_id: AgentId.optional().describe("Only memories that this agent wrote."),
    created_after: Moment.optional().describe("Only memories written at this moment or later."),
    created_before: Moment.optional().describe(
      "Only memories written before this moment; a date without a time is in it as a whole.",
    ),
    utc_offset_minutes: DayOffset.optional(),
  })
  .check(onePlace);
export type ExportQuery = z.infer<typeof ExportQuery>;
