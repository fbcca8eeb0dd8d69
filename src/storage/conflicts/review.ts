import { sql } from "drizzle-orm";
import { AppError } from "../../core/kernel/errors.ts";
import type { FindingReview, FoundConflict } from "../../core/ports/contradiction-store.ts";
import { CORRECTION } from "../../core/ports/contradiction-store.ts";
import type { ReviewedFinding } from "../../core/ports/storage-policies.ts";
import type { ConflictState, ReviewDecision } from "../../core/schema/observing/conflict.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { memoryWhere } from "../memories/filters.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { ROW_COLUMNS, rowsOf, toStoredMemory } from "../memories/rows.ts";
import type { Unit } from "../units/unit.ts";
import { row, run } from "../units/unit.ts";
import type { AuditEvent, ChangeWork } from "../units/work.ts";
import { previousStatuses, recomputeLinks, recomputeStatuses, setPreviousStatuses } from "./apply-status.ts";
import { conflictOf } from "./conflicts.ts";
import { queueExpiry } from "./record.ts";
import { undoFinding } from "./retract.ts";

/** How the audit calls a decision about a finding; it stands with the older row. */
export const REVIEWED = "memory.review";

interface Finding extends ReviewedFinding {
  readonly id: number;
  readonly retracted_at: string | null;
}

/** A finding with its rows as they are now. */
interface Found {
  readonly finding: Finding;
  readonly newer: MemoryRow;
  readonly older: MemoryRow;
}

const AFTER: Readonly<Record<ReviewDecision, ConflictState>> = {
  accept: "accepted",
  both_stand: "both_stand",
  reopen: "open",
};

const stateOf = ({ retracted_at, review }: Finding): ConflictState =>
  retracted_at === null ? (review ?? "open") : "both_stand";

/** Applies a decision to the finding about two rows, inside one transaction; null where there is none. */
export function* reviewFinding(work: ChangeWork, review: FindingReview, by: ChangedBy): Unit<FoundConflict | null> {
  const found = yield* findingOf(work, review);
  if (!found) return null;
  for (const one of [found.newer, found.older]) review.permit(toStoredMemory(one));
  const [before, after] = [stateOf(found.finding), AFTER[review.decision]];
  if (after !== before) {
    yield* decide(work, found, review.decision, by);
    yield* insertAudit(work, by.actor, [auditEvent(found, review, { before, after }, by)]);
  }
  return yield* conflictOf(work, found.finding.id);
}

/** The finding about two rows that stands, else the one that was undone last for the texts they have. */
function* findingOf(work: ChangeWork, { newer_id, older_id, filter }: FindingReview): Unit<Found | null> {
  const { dialect, tenant_id } = work;
  const named = yield* rowsOf(
    sql`select ${ROW_COLUMNS} from memories where ${memoryWhere(dialect, { ...filter, ids: [newer_id, older_id] })}`,
  );
  const [newer, older] = [newer_id, older_id].map((id) => named.find((one) => one.id === id));
  if (!newer || !older) return null;
  const finding = yield* row<Finding>(sql`select id, status, detected_status, review, retracted_at from findings
    where ${dialect.belongs("findings", tenant_id)} and older_seq = ${older.seq} and newer_seq = ${newer.seq}
      and older_hash = ${older.content_hash} and newer_hash = ${newer.content_hash} and rule <> ${CORRECTION}
      and (retracted_at is null or review is not null)
    order by (retracted_at is not null), id desc limit 1`);
  return finding && { finding, newer, older };
}

function* decide(work: ChangeWork, found: Found, decision: ReviewDecision, by: ChangedBy): Unit<void> {
  const { finding, newer, older } = found;
  if (decision === "both_stand") {
    yield* undoFinding(work, finding.id, by);
    return;
  }
  if (finding.retracted_at !== null) yield* requireStandsAgain(work, found, by);
  const { dialect, tenant_id, policies } = work;
  const { status, detected_status, review } = policies.conflicts.decideReview(finding, decision);
  const isReviewed = review !== null;
  const [reviewed_at, reviewed_by] = isReviewed ? [by.now, by.actor.agent_id] : [null, null];
  yield* run(sql`update findings set status = ${status}, detected_status = ${detected_status}, review = ${review},
      reviewed_at = ${reviewed_at}, reviewed_by = ${reviewed_by}, retracted_at = null, retracted_why = null
    where ${dialect.belongs("findings", tenant_id)} and id = ${finding.id}`);
  if (isReviewed && older.status === "conflicted" && (yield* previousStatuses(work, [older.seq])).size === 0)
    yield* setPreviousStatuses(work, [{ seq: older.seq, former_status: older.status }]);
  const reason = policies.conflicts.reviewReason(decision);
  yield* recomputeStatuses(work, new Map([[older.seq, reason]]), by);
  yield* recomputeLinks(work, new Map([[newer.seq, reason]]), by);
  yield* queueExpiry(work, newer, by);
}

/** What was found may have ceased to be so while it did not stand, without a change of the texts. */
function* requireStandsAgain(work: ChangeWork, { newer, older }: Found, { now }: ChangedBy): Unit<void> {
  const turnedRound = yield* row(sql`select id from findings
    where ${work.dialect.belongs("findings", work.tenant_id)} and older_seq = ${newer.seq} and newer_seq = ${older.seq}
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
