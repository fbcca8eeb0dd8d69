import type { JsonObject } from "../../kernel/json.ts";
import type { Actor } from "../../ports/memory-store.ts";
import type { Connections } from "./connection.ts";
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
