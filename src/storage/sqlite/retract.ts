import { and, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { RetractedWhy } from "../../ports/contradiction-store.ts";
import type { MemoryUpdate } from "../../ports/memory-store.ts";
import type { StoredMemory } from "../../ports/stored-memory.ts";
import { LIVE_STATUSES } from "../../schema/memory.ts";
import type { Connections } from "./connection.ts";
import { findings, memoryChecks } from "./detection-tables.ts";
import { insertJobs } from "./jobs.ts";
import type { By } from "./standing.ts";
import { formerStatus, setFormerStatus, settleLinks, settleStatuses } from "./standing.ts";
import { memories } from "./tables.ts";

/** A row before and after a change, and whether it is queued already to be read again. */
interface Reviewed extends MemoryUpdate {
  readonly isQueued: boolean;
}

/**
 * Keeps findings true to a row that was just changed, inside the same transaction: another text, other readers or another
 * time take back what was found and have the row looked at anew; a status that a caller set is no longer the detector's, and
 * where it is live again, what was found against the row is undone for good; what a cancelled row had demoted is freed.
 */
export function reviewFindings(at: Connections, seq: number, { before, after, isQueued }: Reviewed, by: By): void {
  const statusWasSet = after.status !== before.status;
  if (statusWasSet && formerStatus(at, seq) !== null) setFormerStatus(at, seq, null);
  if (says(after) !== says(before)) {
    // First, so that the row is not queued once more where it is itself freed.
    const stale = forgetChecks(at, [seq]);
    retractFindings(at, seq, "changed", by);
    if (!isQueued) queue(at, stale, by.nowMs);
  } else if (statusWasSet) {
    if (LIVE_STATUSES.includes(after.status)) retract(at, eq(findings.older_seq, seq), "undone", by);
    // What was cancelled took the place of nothing.
    if (after.status === "cancelled") lookAgain(at, retract(at, eq(findings.newer_seq, seq), "cancelled", by), by);
    if (before.status === "cancelled") lookAgain(at, [seq], by);
  }
}

/** All that a finding rests on. */
const says = ({ content_hash, visibility, ts_valid_start, ts_valid_end }: StoredMemory): string =>
  JSON.stringify([content_hash, visibility, ts_valid_start, ts_valid_end]);

/** Takes back all that was found about a row; the rows it had demoted are looked at anew. */
export function retractFindings(at: Connections, seq: number, why: RetractedWhy, by: By): void {
  const about = or(eq(findings.older_seq, seq), eq(findings.newer_seq, seq));
  lookAgain(at, retract(at, about, why, by), by);
}

/** Takes findings back, with what they did to both rows. Returns the rows that have their former status again. */
function retract(at: Connections, about: ReturnType<typeof or>, why: RetractedWhy, by: By): number[] {
  const taken = at.write
    .update(findings)
    .set({ retracted_at: by.now, retracted_why: why })
    .where(and(about, isNull(findings.retracted_at)))
    .returning({ older: findings.older_seq, newer: findings.newer_seq })
    .all();
  if (taken.length === 0) return [];
  const reason = REASONS[why];
  const freed = settleStatuses(at, new Map(taken.map(({ older }) => [older, reason])), by);
  settleLinks(at, new Map(taken.map(({ newer }) => [newer, reason])), by);
  return freed;
}

const REASONS: Readonly<Record<RetractedWhy, string>> = {
  changed: "finding retracted: a memory it speaks of was changed",
  deleted: "finding retracted: a memory it speaks of was deleted",
  cancelled: "finding retracted: the newer memory was cancelled",
  undone: "finding undone by a caller",
};

/** Queues rows that were looked at to be looked at again; others have that before them. */
const lookAgain = (at: Connections, seqs: readonly number[], by: By): void =>
  queue(at, forgetChecks(at, seqs), by.nowMs);

/** Makes rows count as not looked at; returns those that were. */
function forgetChecks(at: Connections, seqs: readonly number[]): number[] {
  return at.write
    .update(memoryChecks)
    .set({ content_hash: null })
    .where(and(inArray(memoryChecks.memory_seq, [...seqs]), isNotNull(memoryChecks.content_hash)))
    .returning({ seq: memoryChecks.memory_seq })
    .all()
    .map(({ seq }) => seq);
}

/** Queues those of the rows that the detector looked at before they had a vector. */
export function lookAgainWithVectors(at: Connections, seqs: readonly number[], nowMs: number): void {
  const seen = at.write
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
    at,
    seen.map(({ seq }) => seq),
    nowMs,
  );
}

function queue(at: Connections, seqs: readonly number[], nowMs: number): void {
  if (seqs.length === 0) return;
  const rows = at.write
    .select({ id: memories.id, tenant_id: memories.tenant_id })
    .from(memories)
    .where(inArray(memories.seq, [...seqs]))
    .all();
  for (const [tenant_id, own] of Map.groupBy(rows, (row) => row.tenant_id)) {
    const payload = { tenant_id, memory_ids: own.map(({ id }) => id) };
    insertJobs(at, [{ kind: "understand_memories", payload }], nowMs);
  }
}
