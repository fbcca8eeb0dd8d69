import type { Actor } from "../../../core/ports/memory-store.ts";
import * as audit from "../../accounts/audit.ts";
import type { AuditEvent } from "../../units/work.ts";
import type { TenantWork } from "../engine/work.ts";
import { postgresDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";

/** Leaves one audit row an event, inside the transaction that makes the change. */
export const insertAudit = (work: TenantWork, actor: Actor, events: readonly AuditEvent[]): Promise<number> =>
  drive(work, audit.insertAudit({ dialect, tenant_id: work.tenant_id }, actor, events));

/** Leaves of what was noted about some things only who did what when, inside the caller's transaction. */
export const eraseAudit = (work: TenantWork, ...target_ids: readonly string[]): Promise<void> =>
  drive(work, audit.eraseAudit({ dialect, tenant_id: work.tenant_id }, target_ids));
