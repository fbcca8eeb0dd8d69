import type { RetractedWhy } from "../core/ports/contradiction-store.ts";
import type { DemotedStatus } from "../core/ports/finding.ts";
import type {
  ConflictPolicy,
  FindingsReview,
  ReviewedFinding,
  StandingDecision,
  StatementFacts,
  StatusFacts,
} from "../core/ports/storage-policies.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { MemoryStatus } from "../core/schema/memory.ts";
import { LIVE_STATUSES } from "../core/schema/memory.ts";
import { POSSIBLE } from "../core/schema/observing/possible-change.ts";
import { inferredOf } from "../memories/inferred-fields.ts";
import { mayDemote } from "./may-demote.ts";

/** What a finding rests on. */
const FACTS = [
  "content_hash",
  "visibility",
  "memory_type",
  "ts_valid_start",
  "ts_valid_end",
  "subject_entity_id",
  "predicate",
  "object_value",
] as const satisfies (keyof StatementFacts)[];

const isLive = (status: MemoryStatus): boolean => LIVE_STATUSES.includes(status);

/**
 * The rules that decide the status of a memory. A row that one standing finding calls outdated is outdated; one that is only
 * called conflicted is conflicted; with no finding left it is what it was before. A status that a caller set, and that is not
 * live, is never the detector's to change.
 *
 * @example
 * conflictPolicy.resolveStatus({ status: "active", deleted_at: null, previous_status: null, against: ["outdated"] })
 * // { status: "outdated", previous_status: "active", is_freed: false }
 */
export const conflictPolicy: ConflictPolicy = {
  resolveStatus: (row) => {
    const is_freed = row.against.length === 0 && row.previous_status !== null && row.deleted_at === null;
    const previous_status = statusToKeep(row);
    const demoted_from = is_freed ? row.previous_status : previous_status;
    return {
      status: demoted_from === null ? row.status : demotedStatus(demoted_from, row.against),
      previous_status,
      is_freed,
    };
  },
  // The row it points to already stays, as long as it is one of them.
  chooseSuperseded: (current_id, older_ids) => older_ids.find((id) => id === current_id) ?? older_ids[0] ?? null,
  mayBeDemoted: ({ status, previous_status }) => isLive(status) || previous_status !== null,
  withdrawnWhy,
  isSameStatement,
  isDecided: ({ newer_hash, older_hash, status }, known) => {
    const hashes = [newer_hash, older_hash];
    return known.some((one) =>
      one.undone
        ? hashes.includes(one.newer_hash) && hashes.includes(one.older_hash)
        : one.status !== POSSIBLE || status === POSSIBLE,
    );
  },
  decideReview,
  mayStandAgain: (newer, older, now) => withdrawnWhy(newer, now) === null && mayDemote(newer, older),
  // Somebody said that the older one no longer holds; that the newer one goes does not make it true again.
  outlastsFinding: (review, why) => review === "accepted" && why !== "undone",
  reviewChange,
  statusBeforeDeletion: ({ status = "active", previous_status }) => ({
    status: previous_status ?? status,
    was_live: isLive(status),
  }),
  demotionReason: ({ rule, confidence }) => `${rule} (${confidence.toFixed(2)})`,
  retractionReason: (why) => RETRACTION_REASONS[why],
  reviewReason: (decision) => REVIEW_REASONS[decision],
};

function decideReview(found: ReviewedFinding, decision: StandingDecision): ReviewedFinding {
  const detected = found.detected_status ?? found.status;
  switch (decision) {
    case "accept":
      return { status: "outdated", detected_status: detected, review: "accepted" };
    case "reopen":
      return { status: detected, detected_status: null, review: null };
    default:
      return decision satisfies never;
  }
}

/** What is kept as a row's status from before it was demoted. */
function statusToKeep({ status, previous_status, deleted_at, against }: StatusFacts): MemoryStatus | null {
  if (against.length === 0 || deleted_at !== null) return null;
  return previous_status ?? (isLive(status) ? status : null);
}

function demotedStatus(previous: MemoryStatus, against: readonly DemotedStatus[]): MemoryStatus {
  if (against.length === 0) return previous;
  return against.includes("outdated") ? "outdated" : "conflicted";
}

function withdrawnWhy(
  { status, expires_at }: Pick<StoredMemory, "status" | "expires_at">,
  now: string,
): RetractedWhy | null {
  if (status === "cancelled" || status === "archived") return status;
  return expires_at !== null && expires_at <= now ? "expired" : null;
}

/** What a writer tells counts for more than what was read from the text, also where it is the same. */
function isSameStatement(a: StatementFacts, b: StatementFacts): boolean {
  const [inferred, others] = [inferredOf(a), inferredOf(b)];
  return FACTS.every((fact) => a[fact] === b[fact] && isIn(inferred, fact) === isIn(others, fact));
}

const isIn = (fields: readonly string[], fact: string): boolean => fields.includes(fact);

/**
 * Another text, other readers, another time or another triple take back all that was found. A status that a caller makes live undoes for good
 * what was found against the row. A row that was withdrawn or has expired frees what it had demoted; one that is back is
 * compared again.
 */
function reviewChange(before: StoredMemory, after: StoredMemory, now: string): FindingsReview {
  const owns_status = after.status !== before.status;
  if (!isSameStatement(before, after)) {
    return {
      owns_status,
      retract: [{ side: "about", why: "changed", recheck_freed: true }],
      recheck: true,
      expires_at: null,
    };
  }
  const withdrawn = withdrawnWhy(after, now);
  const undo = { side: "against", why: "undone", recheck_freed: false } as const;
  const retract = [
    // What was live all along was not demoted: what may have changed it is decided by itself.
    ...(owns_status && isLive(after.status) && !isLive(before.status) ? [undo] : []),
    ...(withdrawn === null ? [] : [{ side: "by", why: withdrawn, recheck_freed: true } as const]),
  ];
  const recheck = withdrawn === null && withdrawnWhy(before, now) !== null;
  return { owns_status, retract, recheck, expires_at: withdrawn === null ? after.expires_at : null };
}

const REVIEW_REASONS: Readonly<Record<StandingDecision, string>> = {
  accept: "finding accepted by a caller",
  reopen: "decision about a finding taken back by a caller",
};

const RETRACTION_REASONS: Readonly<Record<RetractedWhy, string>> = {
  changed: "finding retracted: a memory it speaks of was changed",
  moved: "finding retracted: its memories belong to the same no more",
  deleted: "finding retracted: a memory it speaks of was deleted",
  cancelled: "finding retracted: the newer memory was cancelled",
  archived: "finding retracted: the newer memory was archived",
  expired: "finding retracted: the newer memory has expired",
  rejudged: "finding taken back: the detector judges the two otherwise now",
  undone: "finding undone by a caller",
};
