import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { SQLiteSelect } from "drizzle-orm/sqlite-core";
import type { AuditEntry, AuditQuery, AuditStore } from "../../../core/ports/account-stores.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import * as audit from "../../accounts/audit.ts";
import type { AuditEvent } from "../../units/work.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { pageOf, sizeText } from "../engine/page-size.ts";
import { auditLog } from "../engine/tables.ts";
import { sqliteDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";

/** An event, and whose it is. */
export interface TenantAuditEvent extends AuditEvent {
  readonly tenant_id: string;
}

/** Leaves one audit row an event, inside the transaction that makes the change. */
export function insertAudit(db: Connections, actor: Actor, events: readonly TenantAuditEvent[]): void {
  for (const [tenant_id, own] of Map.groupBy(events, (event) => event.tenant_id))
    drive(db.writeConnection, audit.insertAudit({ dialect, tenant_id }, actor, own));
}

/** Leaves of what was noted about something only who did what when, inside the caller's transaction. */
export const eraseAudit = (db: Connections, tenant_id: string, target_id: string): void =>
  drive(db.writeConnection, audit.eraseAudit({ dialect, tenant_id }, [target_id]));

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
