import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { SQLiteSelect } from "drizzle-orm/sqlite-core";
import type { AuditEntry, AuditQuery, AuditStore } from "../../../core/ports/account-stores.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import type { AuditEvent } from "../../units/work.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { pageOf, sizeText } from "../engine/page-size.ts";
import { auditLog } from "../engine/tables.ts";

/** An event, and whose it is. */
export interface TenantAuditEvent extends AuditEvent {
  readonly tenant_id: string;
}

/** Leaves one audit row an event, inside the transaction that makes the change. */
export function insertAudit(db: Connections, actor: Actor, events: readonly TenantAuditEvent[]): void {
  const insert = db.writeConnection.query<unknown, (string | null)[]>(INSERT);
  for (const { tenant_id, at: when, action, target_id, before, after, reason } of events) {
    const { agent_id, auth_source } = actor;
    const [was, is] = [before && JSON.stringify(before), after && JSON.stringify(after)];
    insert.run(tenant_id, when, agent_id, auth_source, action, target_id, was, is, reason);
  }
}

/** Leaves of what was noted about something only who did what when, inside the caller's transaction. */
export function eraseAudit(db: Connections, tenant_id: string, target_id: string): void {
  db.writeConnection.query<unknown, [string, string]>(ERASE).run(tenant_id, target_id);
}

const ERASE = "update audit_log set before = null, after = null, reason = null where tenant_id = ? and target_id = ?";

/** Written out: to build one statement for a hundred rows takes longer than to run a hundred. */
const INSERT = `insert into audit_log
  (tenant_id, at, agent_id, auth_source, action, target_id, before, after, reason, number)
  select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1 + coalesce((select max(number) from audit_log where tenant_id = ?1), 0)`;

/** The audit log over SQLite, read newest first. */
export const sqliteAuditStore = (db: Connections): AuditStore => ({
  list: (query) => guarded(() => listAudit(db, query)),
  page: (query) =>
    guarded(() =>
      pageOf(
        query,
        (limit) =>
          ofQuery(db.drizzleRead.select({ size: SIZE }).from(auditLog).$dynamic(), { ...query, limit })
            .all()
            .map(({ size }) => size),
        (limit) => listAudit(db, { ...query, limit }),
      ),
    ),
});

const SIZE = sql<number>`${sql.raw(sizeText("audit_log", ["before", "after"]))}`;

const listAudit = (db: Connections, query: AuditQuery): AuditEntry[] =>
  ofQuery(db.drizzleRead.select().from(auditLog).$dynamic(), query)
    .all()
    .map(({ number, ...entry }) => ({ ...entry, id: number }));

function ofQuery<T extends SQLiteSelect>(rows: T, { tenant_id, target_id, action, before_id, limit }: AuditQuery) {
  return rows
    .where(
      and(
        eq(auditLog.tenant_id, tenant_id),
        target_id === undefined ? undefined : eq(auditLog.target_id, target_id),
        action === undefined ? undefined : eq(auditLog.action, action),
        before_id === undefined ? undefined : lt(auditLog.number, before_id),
      ),
    )
    .orderBy(desc(auditLog.number))
    .limit(limit);
}
