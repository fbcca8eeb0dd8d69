import type { SQL } from "drizzle-orm";
import { and, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { RetractedWhy } from "../../../core/ports/contradiction-store.ts";
import type { MemoryUpdate } from "../../../core/ports/memory-store.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { queueAfter } from "../jobs/queue.ts";
import type { ChangedBy } from "./apply-status.ts";
import { previousStatus, recomputeLinks, recomputeStatuses, setPreviousStatus } from "./apply-status.ts";
import { findings, memoryChecks } from "./tables.ts";

/** A row before and after a change, and whether it is queued already to be read again. */
interface Reviewed extends MemoryUpdate {
  readonly isQueued: boolean;
}

/** Which findings a retraction takes back, seen from one row. */
const SIDES = {
  against: (seq: number) => eq(findings.older_seq, seq),
  by: (seq: number) => eq(findings.newer_seq, seq),
  about: (seq: number) => or(eq(findings.older_seq, seq), eq(findings.newer_seq, seq)),
} as const;

/** Keeps findings true to a row that was just changed, as the policy has it, inside the same transaction. */
export function reviewFindings(db: Engine, seq: number, { before, after, isQueued }: Reviewed, by: ChangedBy): void {
  const review = db.policies.conflicts.reviewChange(before, after, by.now);
  if (review.owns_status && previousStatus(db, seq) !== null) setPreviousStatus(db, seq, null);
  // First, so that the row is not queued once more where it is itself freed.
  const stale = review.recheck ? forgetChecks(db, [seq]) : [];
  for (const { side, why, recheck_freed } of review.retract) {
    const freed = retract(db, SIDES[side](seq), why, by);
    if (recheck_freed) recheck(db, freed, by);
  }
  if (!isQueued) queue(db, stale, by.nowMs);
  const { expires_at } = review;
  if (expires_at !== null) queueAfter(db, { kind: "finding_expires", expires_at, now_ms: by.nowMs });
}

/** Rows freed of what expired ones had found, in one transaction at most. */
const EXPIRED_PER_STEP = 100;
const EXPIRING = `select distinct m.seq, m.expires_at from findings f
  cross join memories m on m.seq = f.newer_seq
  where f.retracted_at is null and m.expires_at is not null order by m.expires_at limit ${EXPIRED_PER_STEP + 1}`;

/** Takes back what expired rows had found; returns when the next one expires, in epoch milliseconds. */
export function retractExpired(db: Engine, by: ChangedBy): number | null {
  const found = db.writeConnection.query<{ seq: number; expires_at: string }, []>(EXPIRING).all();
  const isOver = ({ expires_at }: { expires_at: string }) => expires_at <= by.now;
  const over = found.filter(isOver).map(({ seq }) => seq);
  if (over.length > 0) recheck(db, retract(db, inArray(findings.newer_seq, over), "expired", by), by);
  const next = found.find((row) => !isOver(row));
  if (next) return Date.parse(next.expires_at);
  return over.length > EXPIRED_PER_STEP ? by.nowMs : null;
}

/** Takes back all that was found about a row; the rows it had demoted are checked again. */
export function retractFindings(db: Engine, seq: number, why: RetractedWhy, by: ChangedBy): void {
  recheck(db, retract(db, SIDES.about(seq), why, by), by);
}

/** Takes one finding back because a caller says that both of its rows stand; the rows that it had demoted are checked again. */
export const undoFinding = (db: Engine, id: number, by: ChangedBy): void =>
  recheck(db, retract(db, eq(findings.id, id), "undone", by), by);

/** Takes findings back, with what they did to both rows. Returns the rows that have their previous status again. */
function retract(db: Engine, about: SQL | undefined, why: RetractedWhy, by: ChangedBy): number[] {
  const standing = and(about, isNull(findings.retracted_at));
  for (const seq of outlasting(db, standing, why)) setPreviousStatus(db, seq, null);
  const decided = { review: "both_stand", reviewed_at: by.now, reviewed_by: by.actor.agent_id } as const;
  const taken = db.drizzleWrite
    .update(findings)
    .set({
      retracted_at: by.now,
      retracted_why: why,
      status: sql`coalesce(${findings.detected_status}, ${findings.status})`,
      detected_status: null,
      ...(why === "undone" ? decided : { review: null, reviewed_at: null, reviewed_by: null }),
    })
    .where(standing)
    .returning({ older: findings.older_seq, newer: findings.newer_seq })
    .all();
  if (taken.length === 0) return [];
  const reason = db.policies.conflicts.retractionReason(why);
  const freed = recomputeStatuses(db, new Map(taken.map(({ older }) => [older, reason])), by);
  recomputeLinks(db, new Map(taken.map(({ newer }) => [newer, reason])), by);
  return freed;
}

/** Older rows whose status is their own from now on, whatever becomes of the findings. */
function outlasting(db: Engine, standing: SQL | undefined, why: RetractedWhy): number[] {
  const { outlastsFinding } = db.policies.conflicts;
  const reviewed = db.drizzleWrite
    .select({ seq: findings.older_seq, review: findings.review })
    .from(findings)
    .where(and(standing, isNotNull(findings.review)))
    .all();
  return reviewed.filter(({ review }) => outlastsFinding(review, why)).map(({ seq }) => seq);
}

/** Makes a row count as not checked. */
export const forgetCheck = (db: Connections, seq: number): void => void forgetChecks(db, [seq]);

/** Queues rows that were checked to be checked again; others have that before them. */
const recheck = (db: Engine, seqs: readonly number[], by: ChangedBy): void =>
  queue(db, forgetChecks(db, seqs), by.nowMs);

/** Makes rows count as not checked; returns those that were. */
function forgetChecks(db: Connections, seqs: readonly number[]): number[] {
  return db.drizzleWrite
    .update(memoryChecks)
    .set({ content_hash: null })
    .where(and(inArray(memoryChecks.memory_seq, [...seqs]), isNotNull(memoryChecks.content_hash)))
    .returning({ seq: memoryChecks.memory_seq })
    .all()
    .map(({ seq }) => seq);
}

/** Queues those of the rows that the detector checked before they had a vector. */
export function recheckWithVectors(db: Engine, seqs: readonly number[], nowMs: number): void {
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

function queue(db: Engine, seqs: readonly number[], nowMs: number): void {
  if (seqs.length === 0) return;
  const rows = db.drizzleWrite
    .select({ id: memories.id, tenant_id: memories.tenant_id })
    .from(memories)
    .where(inArray(memories.seq, [...seqs]))
    .all();
  queueAfter(db, { kind: "memories_stale", rows, now_ms: nowMs });
}
