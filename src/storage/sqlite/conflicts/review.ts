import { and, asc, desc, eq, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
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
import { insertAudit } from "../accounts/audit.ts";
import type { Engine } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { memoryWhere } from "../memories/filters.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { toStoredMemory } from "../memories/rows.ts";
import { changing } from "../units/run.ts";
import { conflictOf } from "./conflicts.ts";
import { findings } from "./tables.ts";

/** How the audit calls a decision about a finding; it stands with the older row. */
export const REVIEWED = "memory.review";

type Finding = typeof findings.$inferSelect;

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
export function reviewFinding(db: Engine, review: FindingReview, by: ChangedBy): FoundConflict | null {
  const found = findingOf(db, review);
  if (!found) return null;
  for (const row of [found.newer, found.older]) review.permit(toStoredMemory(row));
  const [before, after] = [stateOf(found.finding), AFTER[review.decision]];
  if (after !== before) {
    decide(db, found, review.decision, by);
    insertAudit(db, by.actor, [auditEvent(found, review, { before, after }, by)]);
  }
  return conflictOf(db.writeConnection, found.finding.id);
}

/** The finding about two rows that stands, else the one that was undone last for the texts they have. */
function findingOf(db: Engine, { newer_id, older_id, filter }: FindingReview): Found | null {
  const rowOf = (id: string) =>
    db.drizzleWrite
      .select()
      .from(memories)
      .where(memoryWhere({ ...filter, ids: [id] }))
      .get();
  const [newer, older] = [rowOf(newer_id), rowOf(older_id)];
  if (!newer || !older) return null;
  const finding = db.drizzleWrite
    .select()
    .from(findings)
    .where(
      and(
        eq(findings.older_seq, older.seq),
        eq(findings.newer_seq, newer.seq),
        eq(findings.older_hash, older.content_hash),
        eq(findings.newer_hash, newer.content_hash),
        ne(findings.rule, CORRECTION),
        or(isNull(findings.retracted_at), isNotNull(findings.review)),
      ),
    )
    .orderBy(asc(sql`${findings.retracted_at} is not null`), desc(findings.id))
    .limit(1)
    .get();
  return finding ? { finding, newer, older } : null;
}

function decide(db: Engine, found: Found, decision: ReviewDecision, by: ChangedBy): void {
  const { finding, newer, older } = found;
  if (decision === "both_stand") {
    changing(db, newer.tenant_id, (work) => undoFinding(work, finding.id, by));
    return;
  }
  if (finding.retracted_at !== null) requireStandsAgain(db, found, by);
  const { conflicts } = db.policies;
  const decided = conflicts.decideReview(finding, decision);
  const isReviewed = decided.review !== null;
  const reviewer = isReviewed ? { reviewed_at: by.now, reviewed_by: by.actor.agent_id } : UNKNOWN;
  db.drizzleWrite
    .update(findings)
    .set({ ...decided, ...reviewer, retracted_at: null, retracted_why: null })
    .where(eq(findings.id, finding.id))
    .run();
  const reason = conflicts.reviewReason(decision);
  changing(db, newer.tenant_id, function* (work) {
    if (isReviewed && older.status === "conflicted" && (yield* previousStatuses(work, [older.seq])).size === 0)
      yield* setPreviousStatuses(work, [{ seq: older.seq, former_status: older.status }]);
    yield* recomputeStatuses(work, new Map([[older.seq, reason]]), by);
    yield* recomputeLinks(work, new Map([[newer.seq, reason]]), by);
    yield* queueExpiry(work, newer, by);
  });
}

const UNKNOWN = { reviewed_at: null, reviewed_by: null } as const;

/** What was found may have ceased to be so while it did not stand, without a change of the texts. */
function requireStandsAgain(db: Engine, { newer, older }: Found, { now }: ChangedBy): void {
  const turnedRound = db.drizzleWrite
    .select({ id: findings.id })
    .from(findings)
    .where(and(eq(findings.older_seq, newer.seq), eq(findings.newer_seq, older.seq), isNull(findings.retracted_at)))
    .get();
  const { mayStandAgain } = db.policies.conflicts;
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
) => ({
  tenant_id: older.tenant_id,
  at: now,
  action: REVIEWED,
  target_id: older.id,
  before: { state: before, newer_id: newer.id },
  after: { state: after, newer_id: newer.id },
  reason,
});
