import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { RetractedWhy, Review } from "../../../core/ports/contradiction-store.ts";
import type { DemotedStatus } from "../../../core/ports/finding.ts";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import { memories } from "../engine/tables.ts";

const memorySeq = () =>
  integer()
    .notNull()
    .references(() => memories.seq);

/** What the detector did to each row. */
export const memoryChecks = sqliteTable("memory_checks", {
  memory_seq: integer()
    .primaryKey()
    .references(() => memories.seq),
  /** The text it checked; null when the row must be checked again. */
  content_hash: text(),
  checked_at: text(),
  /** Whether the row had a vector then. */
  embedded: integer({ mode: "boolean" }).notNull(),
  /** The status that the detector replaced; null when the present one is not the detector's. */
  former_status: text().$type<MemoryStatus>(),
});

export const findings = sqliteTable(
  "findings",
  {
    id: integer().primaryKey(),
    tenant_id: text().notNull(),
    newer_seq: memorySeq(),
    older_seq: memorySeq(),
    /** The texts it speaks of. */
    newer_hash: text().notNull(),
    older_hash: text().notNull(),
    status: text().$type<DemotedStatus>().notNull(),
    rule: text().notNull(),
    confidence: real().notNull(),
    newer_start: integer().notNull(),
    newer_end: integer().notNull(),
    older_start: integer().notNull(),
    older_end: integer().notNull(),
    created_at: text().notNull(),
    /** Null while it stands. */
    retracted_at: text(),
    retracted_why: text().$type<RetractedWhy>(),
    /** What the detector made of the older row, where a review made it something else. */
    detected_status: text().$type<DemotedStatus>(),
    /** `accepted` while it stands, `both_stand` on the last one of a pair of texts that a caller undid. */
    review: text().$type<Review>(),
    reviewed_at: text(),
    reviewed_by: text(),
  },
  (t) => [
    uniqueIndex("findings_open").on(t.older_seq, t.newer_seq).where(sql`retracted_at is null`),
    index("findings_by_older").on(t.older_seq),
    index("findings_by_newer").on(t.newer_seq),
    index("findings_to_review").on(t.tenant_id, t.created_at).where(sql`retracted_at is null or review is not null`),
  ],
);
