import { sql } from "drizzle-orm";
import type { Actor } from "../../../core/ports/memory-store.ts";
import type { AuditEvent } from "../../units/work.ts";
import { recordsValue, textArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

/**
 * Leaves one audit row an event, inside the transaction that makes the change. Returns the number of the first. The entries
 * of a tenant are counted where its memories are, so that numbers come back to nobody.
 */
export async function insertAudit(work: TenantWork, actor: Actor, events: readonly AuditEvent[]): Promise<number> {
  const { tenant_id } = work;
  if (events.length === 0) return 0;
  const counted = await work.row<{ last: number }>(sql`
    insert into tenant_usage (tenant_id, memories_stored, audit_entries) values (${tenant_id}, 0, ${events.length})
    on conflict (tenant_id) do update set audit_entries = tenant_usage.audit_entries + excluded.audit_entries
    returning audit_entries as last`);
  const first = (counted?.last ?? events.length) - events.length + 1;
  const rows = events.map((event, i) => ({ ...event, number: first + i }));
  await work.run(sql`
    insert into audit_log (tenant_id, number, at, agent_id, auth_source, action, target_id, before, after, reason)
    select ${tenant_id}, e.number, e.at, ${actor.agent_id}::text, ${actor.auth_source}, e.action, e.target_id,
      nullif(e.before::text, 'null')::json, nullif(e.after::text, 'null')::json, e.reason
    from json_to_recordset(${recordsValue(rows)})
      as e (number bigint, at text, action text, target_id text, before json, after json, reason text)`);
  return first;
}

/** Leaves of what was noted about some things only who did what when, inside the caller's transaction. */
export const eraseAudit = (work: TenantWork, ...target_ids: readonly string[]): Promise<number> =>
  work.run(sql`update audit_log set before = null, after = null, reason = null
    where tenant_id = ${work.tenant_id} and target_id = any(${textArray(target_ids)})`);
