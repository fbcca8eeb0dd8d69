import { bigint, doublePrecision, integer, json, pgTable, text } from "drizzle-orm/pg-core";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { StoredLink } from "../../../core/ports/stored-memory.ts";
import type { TrustLevel, Visibility } from "../../../core/schema/access.ts";
import type { MemoryStatus, MemoryType } from "../../../core/schema/memory.ts";

// The columns that statements are built of; what indexes and keys there are, `migrations` says.

const whole = () => bigint({ mode: "number" });
/** A number that the database gives. */
const serial = () => whole().generatedByDefaultAsIdentity();

/** Every agent that ever wrote. */
export const agents = pgTable("agents", {
  tenant_id: text().notNull(),
  seq: serial(),
  agent_id: text().notNull(),
  display_name: text(),
  fleet_id: text(),
  trust_level: integer().$type<TrustLevel>().notNull().default(1),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

/** The sets of readers a memory can have: the organisation, the team (of one fleet), one agent. */
export const audiences = pgTable("audiences", {
  tenant_id: text().notNull(),
  id: serial(),
  kind: text().$type<Visibility>().notNull(),
  /** The fleet of a team audience ('' without one), the agent of a private one. */
  owner: text().notNull(),
});

export const memories = pgTable("memories", {
  tenant_id: text().notNull(),
  seq: serial(),
  id: text().notNull(),
  fleet_id: text(),
  agent_id: text().notNull(),
  author: whole().notNull(),
  audience: whole().notNull(),
  memory_type: text().$type<MemoryType>().notNull(),
  title: text(),
  content: text().notNull(),
  weight: doublePrecision().notNull(),
  source_uri: text(),
  run_id: text(),
  /** The row written before this one in the same run for the same readers. */
  previous_seq: whole(),
  metadata: json().$type<JsonObject>(),
  system_metadata: json().$type<JsonObject>(),
  entity_links: json().$type<StoredLink[]>().notNull(),
  content_hash: text().notNull(),
  client_request_id: text(),
  created_at: text().notNull(),
  expires_at: text(),
  deleted_at: text(),
  subject_entity_id: text(),
  predicate: text(),
  object_value: text(),
  ts_valid_start: text(),
  ts_valid_end: text(),
  status: text().$type<MemoryStatus>().notNull(),
  visibility: text().$type<Visibility>().notNull(),
  recall_count: whole().notNull(),
  last_recalled_at: text(),
  supersedes_id: text(),
  embedded_by: text(),
});
