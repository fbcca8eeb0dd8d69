import { sql } from "drizzle-orm";
import { AppError } from "../../../core/kernel/errors.ts";
import type { FindingReview, FoundConflict } from "../../../core/ports/contradiction-store.ts";
import { CORRECTION } from "../../../core/ports/contradiction-store.ts";
import type { ConflictState, ReviewDecision } from "../../../core/schema/observing/conflict.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import {
  previousStatuses,
  recomputeLinks,
  recomputeStatuses,
  setPreviousStatuses,
} from "../../conflicts/apply-status.ts";
import { queueExpiry } from "../../conflicts/record.ts";
import { undoFinding } from "../../conflicts/retract.ts";
import type { AuditEvent } from "../../units/work.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import type { TenantWork } from "../engine/work.ts";
import { memoryWhere } from "../memories/filters.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { toStoredMemory } from "../memories/rows.ts";
import { within } from "../units/run.ts";
import { conflictOf } from "./conflicts.ts";
import type { FindingRow } from "./rows.ts";

/** How the audit calls a decision about a finding; it stands with the older row. */
export const REVIEWED = "memory.review";

/** A finding with its rows as they are now. */
interface Found {
  readonly finding: FindingRow;
  readonly newer: MemoryRow;
  readonly older: MemoryRow;
}

const AFTER: Readonly<Record<ReviewDecision, ConflictState>> = {
  accept: "accepted",
  both_stand: "both_stand",
  reopen: "open",
};

const stateOf = ({ retracted_at, review }: FindingRow): ConflictState =>
  retracted_at === null ? (review ?? "open") : "both_stand";

/** Applies a decision to the finding about two rows, inside one transaction; null where there is none. */
export async function reviewFinding(
  work: TenantWork,
  review: FindingReview,
  by: ChangedBy,
): Promise<FoundConflict | null> {
  const found = await findingOf(work, review);
  if (!found) return null;
  for (const row of [found.newer, found.older]) review.permit(toStoredMemory(row));
  const [before, after] = [stateOf(found.finding), AFTER[review.decision]];
  if (after !== before) {
    await decide(work, found, review.decision, by);
    await insertAudit(work, by.actor, [auditEvent(found, review, { before, after }, by)]);
  }
  return conflictOf(work, found.finding.id);
}

/** The finding about two rows that stands, else the one that was undone last for the texts they have. */
async function findingOf(work: TenantWork, { newer_id, older_id, filter }: FindingReview): Promise<Found | null> {
  const rowOf = (id: string) =>
    work.row<MemoryRow>(sql`select * from memories where ${memoryWhere({ ...filter, ids: [id] })}`);
  const newer = await rowOf(newer_id);
  const older = await rowOf(older_id);
  if (!newer || !older) return null;
  const finding = await work.row<FindingRow>(sql`select * from findings
    where tenant_id = ${work.tenant_id} and older_seq = ${older.seq} and newer_seq = ${newer.seq}
      and older_hash = ${older.content_hash} and newer_hash = ${newer.content_hash} and rule <> ${CORRECTION}
      and (retracted_at is null or review is not null)
    order by (retracted_at is not null), id desc limit 1`);
  return finding ? { finding, newer, older } : null;
}

async function decide(work: TenantWork, found: Found, decision: ReviewDecision, by: ChangedBy): Promise<void> {
  const { finding, newer, older } = found;
  if (decision === "both_stand") {
    await within(work, (unit) => undoFinding(unit, finding.id, by));
    return;
  }
  if (finding.retracted_at !== null) await requireStandsAgain(work, found, by);
  const { conflicts } = work.policies;
  const { status, detected_status, review } = conflicts.decideReview(finding, decision);
  const isReviewed = review !== null;
  const reviewer = isReviewed ? by : UNKNOWN;
  await work.run(sql`update findings set status = ${status}, detected_status = ${detected_status}::text,
      review = ${review}::text, reviewed_at = ${reviewer.now}::text, reviewed_by = ${reviewer.actor.agent_id}::text,
      retracted_at = null, retracted_why = null
    where tenant_id = ${work.tenant_id} and id = ${finding.id}`);
  const reason = conflicts.reviewReason(decision);
  await within(work, function* (unit) {
    if (isReviewed && older.status === "conflicted" && (yield* previousStatuses(unit, [older.seq])).size === 0)
      yield* setPreviousStatuses(unit, [{ seq: older.seq, former_status: older.status }]);
    yield* recomputeStatuses(unit, new Map([[older.seq, reason]]), by);
    yield* recomputeLinks(unit, new Map([[newer.seq, reason]]), by);
    yield* queueExpiry(unit, newer, by);
  });
}

const UNKNOWN = { now: null, actor: { agent_id: null } } as const;

/** What was found may have ceased to be so while it did not stand, without a change of the texts. */
async function requireStandsAgain(work: TenantWork, { newer, older }: Found, { now }: ChangedBy): Promise<void> {
  const turnedRound = await work.row(sql`select id from findings
    where tenant_id = ${work.tenant_id} and older_seq = ${newer.seq} and newer_seq = ${older.seq}
      and retracted_at is null`);
  const { mayStandAgain } = work.policies.conflicts;
  if (!turnedRound && mayStandAgain(toStoredMemory(newer), toStoredMemory(older), now)) return;
  throw new AppError(
    "BAD_REQUEST",
    "The newer memory was withdrawn, has other readers, or is superseded by the older one: it can no longer take that one's place.",
  );
}

const auditEvent = (
  { newer, older }: Found,
  { reason }: FindingReview,
  { before, after }: Readonly<Record<"before" | "after", ConflictState>>,
  { now }: ChangedBy,
): AuditEvent => ({
  at: now,
  action: REVIEWED,
  target_id: older.id,
  before: { state: before, newer_id: newer.id },
  after: { state: after, newer_id: newer.id },
  reason,
});
