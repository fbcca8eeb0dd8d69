import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Fingerprints of rejected skills, each barred until it expires. */
export const skillDenylist = sqliteTable(
  "skill_poison",
  {
    id: integer().primaryKey(),
    tenant_id: text().notNull(),
    fleet_id: text(),
    fingerprint: text().notNull(),
    rejected_by: text(),
    rejected_at: text().notNull(),
    expires_at: text().notNull(),
    reason: text().notNull(),
  },
  (t) => [
    index("skill_poison_by_fingerprint").on(t.tenant_id, t.fingerprint, t.expires_at),
    index("skill_poison_by_expiry").on(t.tenant_id, t.expires_at),
  ],
);
