import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { AuditEntry, AuditQuery, AuditStore } from "../../core/ports/account-stores.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import type { Columns } from "../units/dialect.ts";
import { jsonIn, sizeOf } from "../units/dialect.ts";
import { pageOf } from "../units/page.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { AuditEvent, Runner, TenantWork } from "../units/work.ts";

const ENTRY: Columns = {
  ...{ tenant_id: "text", number: "int", at: "text", agent_id: "text", auth_source: "text", action: "text" },
  ...{ target_id: "text", before: "json", after: "json", reason: "text" },
};

/** Leaves one audit row an event, inside the transaction that makes the change. Returns the number of the first. */
export function* insertAudit({ dialect, tenant_id }: TenantWork, actor: Actor, events: readonly AuditEvent[]) {
  if (events.length === 0) return 0;
  const first = yield* dialect.entryNumber(tenant_id, events.length);
  const entries = events.map((event, i) => ({ ...event, ...actor, tenant_id, number: first + i }));
  yield* dialect.insert("audit_log", entries, ENTRY);
  return first;
}

/** Leaves of what was noted about some things only who did what when, inside the caller's transaction. */
export function* eraseAudit({ dialect, tenant_id }: TenantWork, target_ids: readonly string[]): Unit<void> {
  yield* run(sql`update audit_log set before = null, after = null, reason = null
    where tenant_id = ${tenant_id} and ${dialect.isIn(sql`target_id`, target_ids)}`);
}

/** The audit log, read newest first. */
export const auditStore = ({ look, snapshot }: Runner): AuditStore => ({
  list: (query) => look(() => listAudit(query)),
  page: (query) =>
    snapshot(({ dialect }) =>
      pageOf(
        query,
        (limit) =>
          rows<{ size: number }>(
            sql`select ${sizeOf(dialect, "audit_log", ["before", "after"])} as size ${ofQuery({ ...query, limit })}`,
          ),
        (limit) => listAudit({ ...query, limit }),
      ),
    ),
});

function* listAudit(query: AuditQuery): Unit<AuditEntry[]> {
  const found = yield* rows<Omit<AuditEntry, "id"> & { readonly number: number }>(sql`
    select tenant_id, at, agent_id, auth_source, action, target_id, before, after, reason, number ${ofQuery(query)}`);
  return found.map(({ number, before, after, ...entry }) => ({
    ...entry,
    before: jsonIn(before),
    after: jsonIn(after),
    id: number,
  }));
}

/** Which entries, in which order, and how many. */
const ofQuery = ({ tenant_id, target_id, action, before_id, limit }: AuditQuery): SQL => sql`
  from audit_log where tenant_id = ${tenant_id}
    ${target_id === undefined ? sql`` : sql`and target_id = ${target_id}`}
    ${action === undefined ? sql`` : sql`and action = ${action}`}
    ${before_id === undefined ? sql`` : sql`and number < ${before_id}`}
  order by ${target_id === undefined ? sql`number` : BY_TARGET} desc limit ${limit}`;

/** With a sign, the index of numbers is not walked through for the few entries of one target. */
const BY_TARGET = sql.raw("+number");
