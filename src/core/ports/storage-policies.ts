import type { Job } from "../schema/job.ts";
import type { MemoryStatus } from "../schema/memory.ts";
import type { ReviewDecision } from "../schema/observing/conflict.ts";
import type { RetractedWhy, Review } from "./contradiction-store.ts";
import type { NamedRow, SettledNames, Settling } from "./entities/naming.ts";
import type { DemotedStatus, FoundStatus } from "./finding.ts";
import type { MemoryKey, StoredMemory } from "./stored-memory.ts";

/**
 * What the features decide and a storage engine only carries out. The functions are pure: an engine calls them inside its
 * transactions with what it has just read, so that every engine follows the same rules.
 */
export interface StoragePolicies {
  /** The jobs that follow from what happened to rows; stored in the same transaction. */
  jobsAfter(event: StorageEvent): readonly DueJob[];
  readonly conflicts: ConflictPolicy;
  /** Whom the names of some rows mean, all rows together. */
  settleNames(rows: readonly NamedRow[], settling: Settling): SettledNames;
}

/** What happened to rows; `now_ms` is the moment of it, in epoch milliseconds. */
export type StorageEvent = { readonly now_ms: number } & (
  | {
      readonly kind: "memories_stale" | "memories_unembedded" | "documents_unembedded";
      readonly rows: readonly RowKey[];
    }
  /** A row has a new status; `hasActiveSkills` is asked only where it matters. */
  | {
      readonly kind: "status_changed";
      readonly tenant_id: string;
      readonly status: MemoryStatus;
      hasActiveSkills(): boolean;
    }
  /** A row against which others were weighed stops counting at `expires_at`. */
  | { readonly kind: "finding_expires"; readonly expires_at: string }
  | { readonly kind: "memories_erased" | "document_removed" | "indexes_rebuilt" }
);

/** A row by tenant and id. */
export type RowKey = MemoryKey;

/** A job and when it is due, in epoch milliseconds. A recurring job has one row: it is moved forward, never added. */
export interface DueJob {
  readonly job: Job;
  readonly due_ms: number;
}

/** What decides a row's status: its own, whether it is deleted, and the findings by which it holds no longer. */
export interface StatusFacts {
  readonly status: MemoryStatus;
  readonly deleted_at: string | null;
  /** The status that the detector replaced; null when the present one is not the detector's. */
  readonly previous_status: MemoryStatus | null;
  readonly against: readonly DemotedStatus[];
}

export interface StatusResolution {
  readonly status: MemoryStatus;
  /** What is to be kept as the previous status. */
  readonly previous_status: MemoryStatus | null;
  /** Demoted before, and now no finding stands against it. */
  readonly is_freed: boolean;
}

/** A finding between two rows that was stored before, by the texts it was made of. */
export interface KnownFinding {
  readonly newer_hash: string;
  readonly older_hash: string;
  readonly status: FoundStatus;
  /** Retracted because a caller undid it; else it stands. */
  readonly undone: boolean;
}

/** A decision by which a finding stands. */
export type StandingDecision = Exclude<ReviewDecision, "both_stand">;

/** What a review decides of a finding. */
export interface ReviewedFinding {
  readonly status: FoundStatus;
  /** What the detector had made of the older row; null where that is `status`. */
  readonly detected_status: FoundStatus | null;
  readonly review: Review | null;
}

/** What a change of a row does to the findings about it. */
export interface FindingsReview {
  /** The status is the caller's from now on, and no longer the detector's. */
  readonly owns_status: boolean;
  /** Findings to take back: those against the row, those it has against others, or both. */
  readonly retract: readonly {
    readonly side: "against" | "by" | "about";
    readonly why: RetractedWhy;
    /** Rows that are freed by it are checked again. */
    readonly recheck_freed: boolean;
  }[];
  /** The row itself is checked again. */
  readonly recheck: boolean;
  /** When the row stops counting; null when never, or already. */
  readonly expires_at: string | null;
}

/** The parts of a row on which every finding about it rests. */
export type StatementFacts = Pick<
  StoredMemory,
  | "content_hash"
  | "visibility"
  | "memory_type"
  | "ts_valid_start"
  | "ts_valid_end"
  | "subject_entity_id"
  | "predicate"
  | "object_value"
  | "system_metadata"
>;
type Standing = Pick<StoredMemory, "status" | "expires_at">;

/** Which status a row has, and which findings count. `now` is a timestamp. */
export interface ConflictPolicy {
  resolveStatus(row: StatusFacts): StatusResolution;
  /** The older row that a newer one points to, of those it supersedes, surest first; null for none. */
  chooseSuperseded(current_id: string | null, older_ids: readonly string[]): string | null;
  /** Whether the detector may demote a row that has this status. */
  mayBeDemoted(row: Pick<StatusFacts, "status" | "previous_status">): boolean;
  /** Why a row can take the place of no other at this moment; null when it can. */
  withdrawnWhy(row: Standing, now: string): RetractedWhy | null;
  /** Whether all that a finding rests on is the same. */
  isSameStatement(a: StatementFacts, b: StatementFacts): boolean;
  /**
   * Whether a pair of texts needs no new finding, because one of those stored before stands, and says as much, or was undone for
   * the same texts.
   */
  isDecided(
    pair: { readonly newer_hash: string; readonly older_hash: string; readonly status: FoundStatus },
    known: readonly KnownFinding[],
  ): boolean;
  /** What a decision makes of a finding that stands by it, whatever was decided before. */
  decideReview(found: ReviewedFinding, decision: StandingDecision): ReviewedFinding;
  /** Whether a finding that was taken back may stand again between two rows as they are now. */
  mayStandAgain(newer: StoredMemory, older: StoredMemory, now: string): boolean;
  /** Whether the older row keeps its status as its own when a finding falls away. */
  outlastsFinding(review: Review | null, why: RetractedWhy): boolean;
  reviewChange(before: StoredMemory, after: StoredMemory, now: string): FindingsReview;
  /** The status of a deleted row that is restored, from what the audit says of its deletion. */
  statusBeforeDeletion(audited: {
    readonly status?: MemoryStatus | undefined;
    readonly previous_status?: MemoryStatus | undefined;
  }): {
    readonly status: MemoryStatus;
    /** It was live when it was deleted, so that a live twin may have taken its place. */
    readonly was_live: boolean;
  };
  /** For the audit: why a row was demoted, why a finding was taken back, and what was decided about it. */
  demotionReason(found: { readonly rule: string; readonly confidence: number }): string;
  retractionReason(why: RetractedWhy): string;
  reviewReason(decision: StandingDecision): string;
}
