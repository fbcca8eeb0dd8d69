import { and, asc, desc, eq, inArray, isNull } from "drizzle-orm";
import type { Actor } from "../../../core/ports/memory-store.ts";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import type { TenantAuditEvent } from "../accounts/audit.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { queueStatusChanged } from "../skills/reviews.ts";
import { findings, memoryChecks } from "./tables.ts";

/** Who changes something, and when. */
export interface ChangedBy {
  readonly actor: Actor;
  readonly now: string;
  readonly nowMs: number;
}

/** A row, and the status it had before the detector demoted it: null when its present one is not the detector's. */
interface Standing {
  readonly row: MemoryRow;
  readonly previous: MemoryStatus | null;
}

/** Why each row is changed, for the audit. */
type Reasons = ReadonlyMap<number, string>;

/** The status that the detector replaced; null when the present one is not the detector's. */
export const previousStatus = (db: Connections, seq: number): MemoryStatus | null =>
  standings(db, [seq])[0]?.previous ?? null;

/** The same of a row that is deleted: null, too, where a caller accepted what was found against it. */
export function statusToRestore(db: Engine, seq: number): MemoryStatus | null {
  const against = db.drizzleWrite
    .select({ review: findings.review })
    .from(findings)
    .where(and(eq(findings.older_seq, seq), isNull(findings.retracted_at)))
    .all();
  const { outlastsFinding } = db.policies.conflicts;
  return against.some(({ review }) => outlastsFinding(review, "deleted")) ? null : previousStatus(db, seq);
}

/** Keeps the status that the detector is about to replace; null says that the present one is not the detector's. */
export function setPreviousStatus(db: Connections, seq: number, former_status: MemoryStatus | null): void {
  db.drizzleWrite
    .insert(memoryChecks)
    .values({ memory_seq: seq, content_hash: null, checked_at: null, embedded: false, former_status })
    .onConflictDoUpdate({ target: memoryChecks.memory_seq, set: { former_status } })
    .run();
}

function standings(db: Connections, seqs: readonly number[]): Standing[] {
  return db.drizzleWrite
    .select({ row: memories, previous: memoryChecks.former_status })
    .from(memories)
    .leftJoin(memoryChecks, eq(memoryChecks.memory_seq, memories.seq))
    .where(inArray(memories.seq, [...seqs]))
    .all();
}

/**
 * Gives rows the status that the policy makes of the findings against them, with audit and jobs. Returns the rows that were
 * demoted and are free again.
 */
export function recomputeStatuses(db: Engine, reasons: Reasons, by: ChangedBy): number[] {
  const seqs = [...reasons.keys()];
  const standing = db.drizzleWrite
    .select({ seq: findings.older_seq, status: findings.status })
    .from(findings)
    .where(and(inArray(findings.older_seq, seqs), isNull(findings.retracted_at)));
  const against = Map.groupBy(standing.all(), ({ seq }) => seq);
  const events: TenantAuditEvent[] = [];
  const freed: number[] = [];
  for (const { row, previous } of standings(db, seqs)) {
    const resolved = db.policies.conflicts.resolveStatus({
      status: row.status,
      deleted_at: row.deleted_at,
      previous_status: previous,
      against: against.get(row.seq)?.map(({ status }) => status) ?? [],
    });
    if (resolved.previous_status !== previous) setPreviousStatus(db, row.seq, resolved.previous_status);
    if (resolved.is_freed) freed.push(row.seq);
    const { status } = resolved;
    if (status === row.status) continue;
    db.drizzleWrite.update(memories).set({ status }).where(eq(memories.seq, row.seq)).run();
    queueStatusChanged(db, { tenant_id: row.tenant_id, status }, by.nowMs);
    const change = { action: "memory.status", before: { status: row.status }, after: { status } };
    events.push(eventOf(row, change, reasons.get(row.seq) ?? null, by));
  }
  insertAudit(db, by.actor, events);
  return freed;
}

/** Has rows point at the older row that the policy chooses of those they supersede, with audit. */
export function recomputeLinks(db: Engine, reasons: Reasons, by: ChangedBy): void {
  const seqs = [...reasons.keys()];
  const links = db.drizzleWrite
    .select({ seq: findings.newer_seq, id: memories.id })
    .from(findings)
    .innerJoin(memories, eq(memories.seq, findings.older_seq))
    .where(and(inArray(findings.newer_seq, seqs), isNull(findings.retracted_at)))
    .orderBy(desc(findings.confidence), asc(findings.id));
  const older = Map.groupBy(links.all(), ({ seq }) => seq);
  const events: TenantAuditEvent[] = [];
  for (const { row } of standings(db, seqs)) {
    const ids = older.get(row.seq)?.map(({ id }) => id) ?? [];
    const supersedes_id = db.policies.conflicts.chooseSuperseded(row.supersedes_id, ids);
    if (supersedes_id === row.supersedes_id) continue;
    db.drizzleWrite.update(memories).set({ supersedes_id }).where(eq(memories.seq, row.seq)).run();
    const before = { supersedes_id: row.supersedes_id };
    const change = { action: "memory.supersede", before, after: { supersedes_id } };
    events.push(eventOf(row, change, reasons.get(row.seq) ?? null, by));
  }
  insertAudit(db, by.actor, events);
}

const eventOf = (
  { id, tenant_id }: MemoryRow,
  change: Pick<TenantAuditEvent, "action" | "before" | "after">,
  reason: string | null,
  { now }: ChangedBy,
): TenantAuditEvent => ({ ...change, tenant_id, at: now, target_id: id, reason });
