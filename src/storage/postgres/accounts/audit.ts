import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { AuditEntry, AuditQuery, AuditStore } from "../../../core/ports/account-stores.ts";
import { pageOf, sizeText } from "../engine/page-size.ts";
import type { auditLog } from "../engine/tables.ts";
import type { Engine, Work } from "../engine/work.ts";

/** The audit log over Postgres, read newest first. */
export const postgresAuditStore = (engine: Engine): AuditStore => ({
  list: (query) => engine.look((work) => listAudit(work, query)),
  page: (query) =>
    engine.snapshot((work) =>
      pageOf(
        query,
        (limit) => sizesOf(work, { ...query, limit }),
        (limit) => listAudit(work, { ...query, limit }),
      ),
    ),
});

async function sizesOf(work: Work, query: AuditQuery): Promise<number[]> {
  const size = sizeText("audit_log", ["before", "after"]);
  const rows = await work.rows<{ size: number }>(sql`select ${size} as size from audit_log where ${within(query)}`);
  return rows.map((row) => row.size);
}

async function listAudit(work: Work, query: AuditQuery): Promise<AuditEntry[]> {
  const rows = await work.rows<typeof auditLog.$inferSelect>(sql`select * from audit_log where ${within(query)}`);
  return rows.map(({ number, ...entry }) => ({ ...entry, id: number }));
}

/** Which entries, in which order, and how many. */
const within = ({ tenant_id, target_id, action, before_id, limit }: AuditQuery): SQL => sql`tenant_id = ${tenant_id}
  ${target_id === undefined ? sql`` : sql`and target_id = ${target_id}`}
  ${action === undefined ? sql`` : sql`and action = ${action}`}
  ${before_id === undefined ? sql`` : sql`and number < ${before_id}`}
  order by number desc limit ${limit}`;
