import type { Actor } from "../../../core/ports/memory-store.ts";
import * as audit from "../../accounts/audit.ts";
import type { AuditEvent } from "../../units/work.ts";
import type { Connections } from "../engine/connection.ts";
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
