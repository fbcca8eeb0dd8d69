import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { StoredLink } from "../../../core/ports/stored-memory.ts";
import type { TrustLevel, Visibility } from "../../../core/schema/access.ts";
import type { Job } from "../../../core/schema/job.ts";
import type { MemoryStatus, MemoryType } from "../../../core/schema/memory.ts";

/** Every agent that ever wrote; `seq` stands for it in the vector index, which filters by integers. */
export const agents = sqliteTable(
  "agents",
  {
    seq: integer().primaryKey(),
    tenant_id: text().notNull(),
    agent_id: text().notNull(),
    display_name: text(),
    fleet_id: text(),
    trust_level: integer().$type<TrustLevel>().notNull().default(1),
    created_at: text().notNull(),
    updated_at: text().notNull(),
  },
  (t) => [uniqueIndex("agents_by_name").on(t.tenant_id, t.agent_id)],
);

/** The sets of readers a memory can have: the organisation, the team (of one fleet), one agent. */
export const audiences = sqliteTable(
  "audiences",
  {
    id: integer().primaryKey(),
    tenant_id: text().notNull(),
    kind: text().$type<Visibility>().notNull(),
    /** The fleet of a team audience ('' without one), the agent of a private one. */
    owner: text().notNull(),
  },
  (t) => [uniqueIndex("audiences_by_owner").on(t.tenant_id, t.kind, t.owner)],
);

export const memories = sqliteTable(
  "memories",
  {
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    tenant_id: text().notNull(),
    fleet_id: text(),
    agent_id: text().notNull(),
    author: integer()
      .notNull()
      .references(() => agents.seq),
    audience: integer()
      .notNull()
      .references(() => audiences.id),
    memory_type: text().$type<MemoryType>().notNull(),
    title: text(),
    content: text().notNull(),
    weight: real().notNull(),
    source_uri: text(),
    run_id: text(),
    /** The row written before this one in the same run for the same readers. */
    previous_seq: integer(),
    metadata: text({ mode: "json" }).$type<JsonObject>(),
    system_metadata: text({ mode: "json" }).$type<JsonObject>(),
    entity_links: text({ mode: "json" }).$type<StoredLink[]>().notNull(),
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
    recall_count: integer().notNull(),
    last_recalled_at: text(),
    supersedes_id: text(),
    embedded_by: text(),
  },
  (t) => [
    index("memories_by_time").on(t.tenant_id, t.created_at, t.id),
    index("memories_by_status").on(t.tenant_id, t.status),
    index("memories_by_author").on(t.tenant_id, t.agent_id, t.created_at),
    index("memories_by_run").on(t.tenant_id, t.run_id, t.audience, t.seq).where(sql`run_id is not null`),
    index("memories_by_previous").on(t.previous_seq).where(sql`previous_seq is not null`),
    index("memories_by_writer").on(t.author, t.deleted_at),
    index("memories_pending").on(t.tenant_id, t.embedded_by).where(sql`deleted_at is null`),
    index("memories_by_hash").on(t.tenant_id, t.content_hash, t.agent_id, t.visibility).where(sql`deleted_at is null`),
    index("memories_deleted").on(t.tenant_id, t.deleted_at).where(sql`deleted_at is not null`),
    index("memories_by_expiry").on(t.tenant_id, t.expires_at).where(sql`expires_at is not null`),
    uniqueIndex("memories_by_request").on(t.tenant_id, t.client_request_id).where(sql`client_request_id is not null`),
  ],
);

export const jobs = sqliteTable(
  "jobs",
  {
    id: integer().primaryKey(),
    kind: text().$type<Job["kind"]>().notNull(),
    payload: text({ mode: "json" }).$type<Job["payload"]>().notNull(),
    /** Epoch milliseconds; a lease moves it into the future, so that a crash gives the job back. */
    run_after: integer().notNull(),
    attempt: integer().notNull(),
    last_error: text(),
    /** Lower ones go first. */
    rank: integer().notNull(),
  },
  (t) => [
    index("jobs_by_due").on(t.run_after),
    index("jobs_by_rank").on(t.rank, t.run_after),
    index("jobs_by_kind").on(t.kind),
  ],
);

export const auditLog = sqliteTable(
  "audit_log",
  {
    id: integer().primaryKey(),
    tenant_id: text().notNull(),
    at: text().notNull(),
    agent_id: text(),
    auth_source: text().notNull(),
    action: text().notNull(),
    target_id: text().notNull(),
    before: text({ mode: "json" }).$type<JsonObject>(),
    after: text({ mode: "json" }).$type<JsonObject>(),
    reason: text(),
    /** Counts the tenant's entries. */
    number: integer().notNull(),
  },
  (t) => [
    index("audit_by_target").on(t.tenant_id, t.target_id),
    uniqueIndex("audit_by_number").on(t.tenant_id, t.number),
  ],
);

export const orgSettings = sqliteTable("org_settings", {
  tenant_id: text().primaryKey(),
  /** What the tenant changed, without defaults. */
  tree: text({ mode: "json" }).$type<JsonObject>().notNull(),
});
