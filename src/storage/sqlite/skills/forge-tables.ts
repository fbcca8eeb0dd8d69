import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ForgeCluster, ForgeTrigger } from "../../../core/schema/forge.ts";

/** Runs of the Forge: asked for, under way or over. */
export const forgeRuns = sqliteTable(
  "forge_runs",
  {
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    tenant_id: text().notNull(),
    fleet_id: text(),
    trigger: text().$type<ForgeTrigger>().notNull(),
    audit_id: integer().notNull(),
    requested_at: text().notNull(),
    started_at: text(),
    finished_at: text(),
    traces: integer().notNull(),
    successes: integer().notNull(),
    failures: integer().notNull(),
    unknown: integer().notNull(),
    clusters: text({ mode: "json" }).$type<ForgeCluster[]>().notNull(),
    written: integer().notNull(),
    skipped: integer().notNull(),
    error: text(),
  },
  (t) => [index("forge_runs_by_tenant").on(t.tenant_id, t.seq)],
);
