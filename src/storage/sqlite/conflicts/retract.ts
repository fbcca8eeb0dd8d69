import { and, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { RetractedWhy } from "../../../core/ports/contradiction-store.ts";
import type { MemoryUpdate } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { LIVE_STATUSES } from "../../../core/schema/memory.ts";
import type { Connections } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { hasten, insertJobs } from "../jobs/jobs.ts";
import type { By } from "./resolve-status.ts";
import { previousStatus, recomputeLinks, recomputeStatuses, setPreviousStatus } from "./resolve-status.ts";
import { findings, memoryChecks } from "./tables.ts";

/** A row before and after a change, and whether it is queued already to be read again. */
interface Reviewed extends MemoryUpdate {
  readonly isQueued: boolean;
}

/**
 * Keeps findings true to a row that was just changed, inside the same transaction: another text, other readers or another
 * time take back what was found and have the row looked at anew; a status that a caller set is no longer the detector's, and
 * where it is live again, what was found against the row is undone for good; what a row had demoted that was withdrawn or has
 * expired is freed, and one that is back is looked at anew.
 */
export function reviewFindings(db: Connections, seq: number, { before, after, isQueued }: Reviewed, by: By): void {
  const statusWasSet = after.status !== before.status;
  if (statusWasSet && previousStatus(db, seq) !== null) setPreviousStatus(db, seq, null);
  if (says(after) !== says(before)) {
    // First, so that the row is not queued once more where it is itself freed.
    const stale = forgetChecks(db, [seq]);
    retractFindings(db, seq, "changed", by);
    if (!isQueued) queue(db, stale, by.nowMs);
    return;
  }
  if (statusWasSet && LIVE_STATUSES.includes(after.status)) retract(db, eq(findings.older_seq, seq), "undone", by);
  const fallen = fellBy(after, by.now);
  if (fallen !== null) lookAgain(db, retract(db, eq(findings.newer_seq, seq), fallen, by), by);
  else if (fellBy(before, by.now) !== null) lookAgain(db, [seq], by);
  if (fallen === null && after.expires_at !== null) hasten(db, "memories_schedule", Date.parse(after.expires_at));
}

/** Why a row can take the place of no other at this moment; null when it can. */
export function fellBy({ status, expires_at }: Pick<StoredMemory, "status" | "expires_at">, now: string) {
  if (status === "cancelled" || status === "archived") return status;
  return expires_at !== null && expires_at <= now ? "expired" : null;
}

/** Rows freed of what expired ones had found, in one transaction at most. */
const EXPIRED_PER_STEP = 100;
const EXPIRING = `select distinct m.seq, m.expires_at from findings f
  cross join memories m on m.seq = f.newer_seq
  where f.retracted_at is null and m.expires_at is not null order by m.expires_at limit ${EXPIRED_PER_STEP + 1}`;

/** Takes back what expired rows had found; returns when the next one expires, in epoch milliseconds. */
export function retractExpired(db: Connections, by: By): number | null {
  const found = db.writeConnection.query<{ seq: number; expires_at: string }, []>(EXPIRING).all();
  const isOver = ({ expires_at }: { expires_at: string }) => expires_at <= by.now;
  const over = found.filter(isOver).map(({ seq }) => seq);
  if (over.length > 0) lookAgain(db, retract(db, inArray(findings.newer_seq, over), "expired", by), by);
  const next = found.find((row) => !isOver(row));
  if (next) return Date.parse(next.expires_at);
  return over.length > EXPIRED_PER_STEP ? by.nowMs : null;
}

/** All that a finding rests on. */
const says = ({ content_hash, visibility, ts_valid_start, ts_valid_end }: StoredMemory): string =>
  JSON.stringify([content_hash, visibility, ts_valid_start, ts_valid_end]);

/** Takes back all that was found about a row; the rows it had demoted are looked at anew. */
export function retractFindings(db: Connections, seq: number, why: RetractedWhy, by: By): void {
  const about = or(eq(findings.older_seq, seq), eq(findings.newer_seq, seq));
  lookAgain(db, retract(db, about, why, by), by);
}

/** Takes findings back, with what they did to both rows. Returns the rows that have their former status again. */
function retract(db: Connections, about: ReturnType<typeof or>, why: RetractedWhy, by: By): number[] {
  const taken = db.drizzleWrite
    .update(findings)
    .set({ retracted_at: by.now, retracted_why: why })
    .where(and(about, isNull(findings.retracted_at)))
    .returning({ older: findings.older_seq, newer: findings.newer_seq })
    .all();
  if (taken.length === 0) return [];
  const reason = REASONS[why];
  const freed = recomputeStatuses(db, new Map(taken.map(({ older }) => [older, reason])), by);
  recomputeLinks(db, new Map(taken.map(({ newer }) => [newer, reason])), by);
  return freed;
}

const REASONS: Readonly<Record<RetractedWhy, string>> = {
  changed: "finding retracted: a memory it speaks of was changed",
  deleted: "finding retracted: a memory it speaks of was deleted",
  cancelled: "finding retracted: the newer memory was cancelled",
  archived: "finding retracted: the newer memory was archived",
  expired: "finding retracted: the newer memory has expired",
  undone: "finding undone by a caller",
};

/** Makes a row count as not looked at. */
export const forgetCheck = (db: Connections, seq: number): void => void forgetChecks(db, [seq]);

/** Queues rows that were looked at to be looked at again; others have that before them. */
const lookAgain = (db: Connections, seqs: readonly number[], by: By): void =>
  queue(db, forgetChecks(db, seqs), by.nowMs);

/** Makes rows count as not looked at; returns those that were. */
function forgetChecks(db: Connections, seqs: readonly number[]): number[] {
  return db.drizzleWrite
    .update(memoryChecks)
    .set({ content_hash: null })
    .where(and(inArray(memoryChecks.memory_seq, [...seqs]), isNotNull(memoryChecks.content_hash)))
    .returning({ seq: memoryChecks.memory_seq })
    .all()
    .map(({ seq }) => seq);
}

/** Queues those of the rows that the detector looked at before they had a vector. */
export function lookAgainWithVectors(db: Connections, seqs: readonly number[], nowMs: number): void {
  const seen = db.drizzleWrite
    .select({ seq: memoryChecks.memory_seq })
    .from(memoryChecks)
    .where(
      and(
        sql`${memoryChecks.memory_seq} in (select value from json_each(${JSON.stringify(seqs)}))`,
        eq(memoryChecks.embedded, false),
        isNotNull(memoryChecks.content_hash),
      ),
    )
    .all();
  queue(
    db,
    seen.map(({ seq }) => seq),
    nowMs,
  );
}

function queue(db: Connections, seqs: readonly number[], nowMs: number): void {
  if (seqs.length === 0) return;
  const rows = db.drizzleWrite
    .select({ id: memories.id, tenant_id: memories.tenant_id })
    .from(memories)
    .where(inArray(memories.seq, [...seqs]))
    .all();
  for (const [tenant_id, own] of Map.groupBy(rows, (row) => row.tenant_id)) {
    const payload = { tenant_id, memory_ids: own.map(({ id }) => id) };
    insertJobs(db, [{ kind: "understand_memories", payload }], nowMs);
  }
}
