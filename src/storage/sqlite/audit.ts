import { and, desc, eq, lt } from "drizzle-orm";
import type { JsonObject } from "../../kernel/json.ts";
import type { AuditStore } from "../../ports/account-stores.ts";
import type { Actor } from "../../ports/memory-store.ts";
import type { Connections } from "./connection.ts";
import { guarded } from "./faults.ts";
import { auditLog } from "./tables.ts";

export interface AuditEvent {
  readonly tenant_id: string;
  readonly at: string;
  /** `<noun>.<verb>`, such as `memory.create`. */
  readonly action: string;
  readonly target_id: string;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly reason: string | null;
}

/** Leaves one audit row an event, inside the transaction that makes the change. */
export function insertAudit(at: Connections, actor: Actor, events: readonly AuditEvent[]): void {
  if (events.length === 0) return;
  at.write
    .insert(auditLog)
    .values(events.map((event) => ({ ...event, ...actor })))
    .run();
}

export function sqliteAuditStore(at: Connections): AuditStore {
  return {
    list: ({ tenant_id, target_id, action, before_id, limit }) =>
      guarded(() =>
        at.read
          .select()
          .from(auditLog)
          .where(
            and(
              eq(auditLog.tenant_id, tenant_id),
              target_id === undefined ? undefined : eq(auditLog.target_id, target_id),
              action === undefined ? undefined : eq(auditLog.action, action),
              before_id === undefined ? undefined : lt(auditLog.id, before_id),
            ),
          )
          .orderBy(desc(auditLog.id))
          .limit(limit)
          .all(),
      ),
  };
}
