import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { RetractedWhy, Review } from "../../core/ports/contradiction-store.ts";
import type { MemoryUpdate } from "../../core/ports/memory-store.ts";
import type { RowKey } from "../../core/ports/storage-policies.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { queueAfter } from "../jobs/queue.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, Runner, TenantWork, Work } from "../units/work.ts";
import { previousStatuses, recomputeLinks, recomputeStatuses, setPreviousStatuses } from "./apply-status.ts";

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
export function* reviewFindings(
  work: ChangeWork,
  seq: number,
  { before, after, isQueued }: Reviewed,
  by: ChangedBy,
): Unit<void> {
  const review = work.policies.conflicts.reviewChange(before, after, by.now);
  if (review.owns_status && (yield* previousStatuses(work, [seq])).size > 0)
    yield* setPreviousStatuses(work, [{ seq, former_status: null }]);
  if (review.owns_status || review.retract.length > 0)
    // What it was when it was moved away from another row it is no longer.
    yield* run(sql`update findings set retracted_why = 'changed' where ${work.dialect.belongs("findings", work.tenant_id)}
      and ${SIDES.about(seq)} and retracted_why = 'moved'`);
  // First, so that the row is not queued once more where it is itself freed.
  const stale = review.recheck ? yield* forgetChecks(work, [seq]) : [];
  for (const { side, why, recheck_freed } of review.retract) {
    const freed = yield* retract(work, SIDES[side](seq), why, by);
    if (recheck_freed) yield* recheck(work, freed, by);
  }
  if (!isQueued) yield* queue(work, stale, by.nowMs);
  const { expires_at } = review;
  if (expires_at !== null) yield* queueAfter(work, { kind: "finding_expires", expires_at, now_ms: by.nowMs });
}

/** Takes back all that was found about a row; the rows it had demoted are checked again. */
export function* retractFindings(work: ChangeWork, seq: number, why: RetractedWhy, by: ChangedBy): Unit<void> {
  yield* recheck(work, yield* retract(work, SIDES.about(seq), why, by), by);
}

/** Takes findings back whose rows belong to the same no more; the rows that they had demoted are checked again. */
export function* retractParted(work: ChangeWork, ids: readonly number[], by: ChangedBy): Unit<void> {
  if (ids.length > 0) yield* recheck(work, yield* retract(work, work.dialect.isIn(sql`id`, ids), "moved", by), by);
}

/** Takes findings back that the detector judges otherwise; the rows that they had demoted are checked again. */
export function* retractJudged(work: ChangeWork, ids: readonly number[], by: ChangedBy): Unit<void> {
  if (ids.length === 0) return;
  const unreviewed = sql`${work.dialect.isIn(sql`id`, ids)} and review is null`;
  yield* recheck(work, yield* retract(work, unreviewed, "rejudged", by), by);
}

/** Takes one finding back because a caller says that both of its rows stand; the rows that it had demoted are checked again. */
export function* undoFinding(work: ChangeWork, id: number, by: ChangedBy): Unit<void> {
  yield* recheck(work, yield* retract(work, sql`id = ${id}`, "undone", by), by);
}

/** Expired rows whose findings are taken back in one step at most. */
const EXPIRED_PER_STEP = 100;

interface Expiring {
  readonly tenant_id: string;
  readonly seq: number;
  readonly expires_at: string;
}

/** Takes back what expired rows had found, a transaction a tenant; returns when the next one expires, in epoch milliseconds. */
export async function retractExpired({ look, write }: Runner, by: ChangedBy): Promise<number | null> {
  const found = await look(expiringRows);
  const isOver = ({ expires_at }: Expiring) => expires_at <= by.now;
  const over = found.filter(isOver);
  for (const [tenant_id, expired] of Map.groupBy(over, (row) => row.tenant_id))
    await write(tenant_id, (work) => retractOfExpired(work, expired, by));
  const next = found.find((row) => !isOver(row));
  if (next) return Date.parse(next.expires_at);
  return over.length > EXPIRED_PER_STEP ? by.nowMs : null;
}

/** Rows that count against others and end one day, those that end first before the others. */
const expiringRows = ({ dialect }: Work): Unit<Expiring[]> =>
  rows<Expiring>(sql`select distinct m.tenant_id, m.seq, m.expires_at from findings f
    ${dialect.nested} memories m on ${dialect.belongs("m", sql`f.tenant_id`)} and m.seq = f.newer_seq
    where f.retracted_at is null and m.expires_at is not null
    order by m.expires_at, m.tenant_id, m.seq limit ${EXPIRED_PER_STEP + 1}`);

function* retractOfExpired(work: ChangeWork, expired: readonly Expiring[], by: ChangedBy): Unit<void> {
  const { dialect, tenant_id } = work;
  const seqs = expired.map(({ seq }) => seq);
  const over = sql`newer_seq in (select seq from memories
    where ${dialect.belongs("memories", tenant_id)} and ${dialect.isIn(sql`seq`, seqs)} and expires_at <= ${by.now})`;
  yield* recheck(work, yield* retract(work, over, "expired", by), by);
}

/** Takes findings back, with what they did to both rows. Returns the rows that have their previous status again. */
function* retract(work: ChangeWork, about: SQL, why: RetractedWhy, by: ChangedBy): Unit<number[]> {
  const standing = sql`${work.dialect.belongs("findings", work.tenant_id)} and ${about} and retracted_at is null`;
  const lasting = yield* outlasting(work, standing, why);
  yield* setPreviousStatuses(
    work,
    lasting.map((seq) => ({ seq, former_status: null })),
  );
  const review =
    why === "undone"
      ? sql`review = 'both_stand', reviewed_at = ${by.now}, reviewed_by = ${by.actor.agent_id}`
      : sql`review = null, reviewed_at = null, reviewed_by = null`;
  const taken = yield* rows<{ older: number; newer: number }>(sql`
    update findings set retracted_at = ${by.now}, retracted_why = ${why},
      status = coalesce(detected_status, status), detected_status = null, ${review}
    where ${standing} returning older_seq as older, newer_seq as newer`);
  if (taken.length === 0) return [];
  const reason = work.policies.conflicts.retractionReason(why);
  const freed = yield* recomputeStatuses(work, new Map(taken.map(({ older }) => [older, reason])), by);
  yield* recomputeLinks(work, new Map(taken.map(({ newer }) => [newer, reason])), by);
  return freed;
}

/** Older rows whose status is their own from now on, whatever becomes of the findings. */
function* outlasting(work: ChangeWork, standing: SQL, why: RetractedWhy): Unit<number[]> {
  const { outlastsFinding } = work.policies.conflicts;
  const reviewed = yield* rows<{ seq: number; review: Review }>(
    sql`select older_seq as seq, review from findings where ${standing} and review is not null`,
  );
  return [...new Set(reviewed.filter(({ review }) => outlastsFinding(review, why)).map(({ seq }) => seq))];
}

/** Queues rows that were checked to be checked again; others have that before them. */
function* recheck(work: ChangeWork, seqs: readonly number[], by: ChangedBy): Unit<void> {
  yield* queue(work, yield* forgetChecks(work, seqs), by.nowMs);
}

/** Makes rows count as not checked; returns those that were. */
export function* forgetChecks({ dialect, tenant_id }: TenantWork, seqs: readonly number[]): Unit<number[]> {
  if (seqs.length === 0) return [];
  const forgotten = yield* rows<{ seq: number }>(sql`update memory_checks set content_hash = null
    where ${dialect.tenant("memory_checks", tenant_id)} and ${dialect.isIn(sql`memory_seq`, seqs)}
      and content_hash is not null returning memory_seq as seq`);
  return forgotten.map(({ seq }) => seq);
}

/** Queues those of the rows that the detector checked before they had a vector of the model that answers. */
export function* recheckWithVectors(work: ChangeWork, seqs: readonly number[], nowMs: number): Unit<void> {
  if (seqs.length === 0) return;
  const { dialect, tenant_id } = work;
  const seen = yield* rows<{ seq: number }>(sql`select memory_seq as seq from memory_checks
    where ${dialect.tenant("memory_checks", tenant_id)} and ${dialect.isIn(sql`memory_seq`, seqs)}
      and not embedded and content_hash is not null`);
  yield* queue(
    work,
    seen.map(({ seq }) => seq),
    nowMs,
  );
}

/** Checks that are looked at in one step. */
const CHECKS_PER_STEP = 500;

interface Since {
  readonly since: string;
  readonly below: number | null;
}

/** Queues rows that were checked since a moment, of the next few below a number; returns below which to go on, or null. */
export function* recheckSince(work: ChangeWork, { since, below }: Since, nowMs: number): Unit<number | null> {
  const { dialect, tenant_id, space } = work;
  const found = yield* rows<{ seq: number; checked_at: string | null }>(sql`select m.seq, c.checked_at
    from memories m ${dialect.indexed("memories_pending")}
      ${dialect.nested} memory_checks c on ${dialect.tenant("c", tenant_id)} and c.memory_seq = m.seq
    where m.tenant_id = ${tenant_id} and m.embedded_by = ${space.id} and m.deleted_at is null
      and ${below === null ? sql`true` : sql`m.seq < ${below}`}
    order by m.seq desc limit ${int(CHECKS_PER_STEP)}`);
  const late = found.filter(({ checked_at }) => checked_at !== null && checked_at >= since);
  const forgotten = yield* forgetChecks(
    work,
    late.map(({ seq }) => seq),
  );
  yield* queue(work, forgotten, nowMs);
  return found.length < CHECKS_PER_STEP ? null : (found.at(-1)?.seq ?? null);
}

/** Has rows that the model has not read count as checked without a vector, so that `recheckWithVectors` finds them. */
export const recheckOnceRead = ({ dialect, tenant_id, space }: ChangeWork, ids: readonly string[]): Unit<number> =>
  run(sql`update memory_checks set embedded = ${dialect.truth(false)}
    where ${dialect.tenant("memory_checks", tenant_id)} and memory_seq in (select seq from memories
      where ${dialect.belongs("memories", tenant_id)} and ${dialect.isIn(sql`id`, ids)}
        and embedded_by is distinct from ${space.id})`);

function* queue(work: ChangeWork, seqs: readonly number[], now_ms: number): Unit<void> {
  if (seqs.length === 0) return;
  const { dialect, tenant_id } = work;
  const stale = yield* rows<RowKey>(sql`select id, tenant_id from memories
    where ${dialect.belongs("memories", tenant_id)} and ${dialect.isIn(sql`seq`, seqs)} order by seq`);
  yield* queueAfter(work, { kind: "memories_stale", rows: stale, now_ms });
}
