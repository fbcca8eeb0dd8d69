import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { RetractedWhy, Review } from "../../../core/ports/contradiction-store.ts";
import type { MemoryUpdate } from "../../../core/ports/memory-store.ts";
import type { RowKey } from "../../../core/ports/storage-policies.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { intArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { queueAfter } from "../jobs/queue.ts";
import { previousStatus, recomputeLinks, recomputeStatuses, setPreviousStatuses } from "./apply-status.ts";

/** A row before and after a change, and whether it is queued already to be read again. */
interface Reviewed extends MemoryUpdate {
  readonly isQueued: boolean;
}

/** Which findings a retraction takes back, seen from one row. */
const SIDES = {
  against: (seq: number) => sql`older_seq = ${seq}`,
  by: (seq: number) => sql`newer_seq = ${seq}`,
  about: (seq: number) => sql`(older_seq = ${seq} or newer_seq = ${seq})`,
} as const;

/** Keeps findings true to a row that was just changed, as the policy has it, inside the same transaction. */
export async function reviewFindings(
  work: TenantWork,
  seq: number,
  { before, after, isQueued }: Reviewed,
  by: ChangedBy,
): Promise<void> {
  const review = work.policies.conflicts.reviewChange(before, after, by.now);
  if (review.owns_status && (await previousStatus(work, seq)) !== null)
    await setPreviousStatuses(work, [{ seq, former_status: null }]);
  // First, so that the row is not queued once more where it is itself freed.
  const stale = review.recheck ? await forgetChecks(work, [seq]) : [];
  for (const { side, why, recheck_freed } of review.retract) {
    const freed = await retract(work, SIDES[side](seq), why, by);
    if (recheck_freed) await recheck(work, freed, by);
  }
  if (!isQueued) await queue(work, stale, by.nowMs);
  const { expires_at } = review;
  if (expires_at !== null) await queueAfter(work, { kind: "finding_expires", expires_at, now_ms: by.nowMs });
}

/** Takes back what those of some rows that have expired had found; the rows that they had demoted are checked again. */
export async function retractExpiredOf(work: TenantWork, seqs: readonly number[], by: ChangedBy): Promise<void> {
  const over = sql`newer_seq in (select seq from memories
    where tenant_id = ${work.tenant_id} and seq = any(${intArray(seqs)}) and expires_at <= ${by.now})`;
  await recheck(work, await retract(work, over, "expired", by), by);
}

/** Takes back all that was found about a row; the rows it had demoted are checked again. */
export const retractFindings = async (work: TenantWork, seq: number, why: RetractedWhy, by: ChangedBy): Promise<void> =>
  recheck(work, await retract(work, SIDES.about(seq), why, by), by);

/** Takes one finding back because a caller says that both of its rows stand; the rows that it had demoted are checked again. */
export const undoFinding = async (work: TenantWork, id: number, by: ChangedBy): Promise<void> =>
  recheck(work, await retract(work, sql`id = ${id}`, "undone", by), by);

/** Takes findings back, with what they did to both rows. Returns the rows that have their previous status again. */
async function retract(work: TenantWork, about: SQL, why: RetractedWhy, by: ChangedBy): Promise<number[]> {
  const standing = sql`tenant_id = ${work.tenant_id} and ${about} and retracted_at is null`;
  const lasting = await outlasting(work, standing, why);
  await setPreviousStatuses(
    work,
    lasting.map((seq) => ({ seq, former_status: null })),
  );
  const review =
    why === "undone"
      ? sql`review = 'both_stand', reviewed_at = ${by.now}, reviewed_by = ${by.actor.agent_id}::text`
      : sql`review = null, reviewed_at = null, reviewed_by = null`;
  const taken = await work.rows<{ older: number; newer: number }>(sql`
    update findings set retracted_at = ${by.now}, retracted_why = ${why},
      status = coalesce(detected_status, status), detected_status = null, ${review}
    where ${standing} returning older_seq as older, newer_seq as newer`);
  if (taken.length === 0) return [];
  const reason = work.policies.conflicts.retractionReason(why);
  const freed = await recomputeStatuses(work, new Map(taken.map(({ older }) => [older, reason])), by);
  await recomputeLinks(work, new Map(taken.map(({ newer }) => [newer, reason])), by);
  return freed;
}

/** Older rows whose status is their own from now on, whatever becomes of the findings. */
async function outlasting(work: TenantWork, standing: SQL, why: RetractedWhy): Promise<number[]> {
  const { outlastsFinding } = work.policies.conflicts;
  const reviewed = await work.rows<{ seq: number; review: Review }>(
    sql`select older_seq as seq, review from findings where ${standing} and review is not null`,
  );
  return [...new Set(reviewed.filter(({ review }) => outlastsFinding(review, why)).map(({ seq }) => seq))];
}

/** Makes a row count as not checked. */
export const forgetCheck = async (work: TenantWork, seq: number): Promise<void> =>
  void (await forgetChecks(work, [seq]));

/** Queues rows that were checked to be checked again; others have that before them. */
const recheck = async (work: TenantWork, seqs: readonly number[], by: ChangedBy): Promise<void> =>
  queue(work, await forgetChecks(work, seqs), by.nowMs);

/** Makes rows count as not checked; returns those that were. */
export async function forgetChecks(work: TenantWork, seqs: readonly number[]): Promise<number[]> {
  if (seqs.length === 0) return [];
  const forgotten = await work.rows<{ seq: number }>(sql`update memory_checks set content_hash = null
    where tenant_id = ${work.tenant_id} and memory_seq = any(${intArray(seqs)}) and content_hash is not null
    returning memory_seq as seq`);
  return forgotten.map(({ seq }) => seq);
}

/** Queues those of the rows that the detector checked before they had a vector. */
export async function recheckWithVectors(work: TenantWork, seqs: readonly number[], nowMs: number): Promise<void> {
  if (seqs.length === 0) return;
  const seen = await work.rows<{ seq: number }>(sql`select memory_seq as seq from memory_checks
    where tenant_id = ${work.tenant_id} and memory_seq = any(${intArray(seqs)})
      and not embedded and content_hash is not null`);
  await queue(
    work,
    seen.map(({ seq }) => seq),
    nowMs,
  );
}

async function queue(work: TenantWork, seqs: readonly number[], nowMs: number): Promise<void> {
  if (seqs.length === 0) return;
  const rows = await work.rows<RowKey>(sql`select id, tenant_id from memories
    where tenant_id = ${work.tenant_id} and seq = any(${intArray(seqs)}) order by seq`);
  await queueAfter(work, { kind: "memories_stale", rows, now_ms: nowMs });
}
