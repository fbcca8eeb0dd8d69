import type { ConflictState, ReviewDecision } from "../schema/observing/conflict.ts";
import type { DemotedStatus, FoundStatus, NewFinding, TextSpan } from "./finding.ts";
import type { MemoryFilter, ReadScope } from "./memory-filter.ts";
import type { Actor } from "./memory-store.ts";
import type { JudgedFindings } from "./observing/judged-findings.ts";
import type { PossibleConflicts } from "./observing/possible-conflicts.ts";
import type { Page, PageBounds } from "./page.ts";
import type { MemoryKey, StoredMemory } from "./stored-memory.ts";

/**
 * Why a finding no longer stands: one of its rows was changed, moved away from the other or deleted, a caller undid it, the newer
 * row fell away, or the detector judges the two otherwise than before.
 */
export type RetractedWhy =
  | "changed"
  | "moved"
  | "deleted"
  | "undone"
  | "cancelled"
  | "archived"
  | "expired"
  | "rejudged";

/** By what rows that state something of the same find each other. */
export interface ClaimKey {
  readonly subject_key: string;
  readonly predicate: string;
}

/** A row to be checked. */
export interface UncheckedMemory {
  readonly memory: StoredMemory;
  /** The detector set its present status. */
  readonly demoted: boolean;
  /** Rows of its tenant are just being read anew: some that it is compared with may have no vector. */
  readonly is_partial: boolean;
}

/** What is asked for when a row is to be compared with what is stored. */
export interface CandidateQuery {
  readonly memory: StoredMemory;
  /** What its writer states beside its text, if anything. */
  readonly claim: ClaimKey | null;
  /** When the statement came to hold, as a timestamp. */
  readonly happened_at: string;
  readonly embedder_id: string;
  /** The moment at which a row past its end is no candidate. */
  readonly now: string;
  /** Rows in hand that count as checked already, as they will be recorded first. */
  readonly unrecorded: readonly UnrecordedRow[];
  /** Only these rows, whatever their status and whether they were checked or not; absent for all. */
  readonly among?: readonly string[];
}

/** What is asked for when what a row states is to be compared with what others state. */
export interface StatedQuery extends Pick<CandidateQuery, "memory" | "happened_at" | "now"> {
  readonly claim: ClaimKey;
}

export interface UnrecordedRow {
  readonly id: string;
  /** States something of the same as the row asked for. */
  readonly shares_claim: boolean;
}

/** A row that the one checked may contradict, whichever of the two is older. */
export interface ConflictCandidate {
  readonly memory: StoredMemory;
  /** How near the two rows are in meaning, -1 to 1, where rows that have nothing to do with each other are near 0; null while one has no vector. */
  readonly closeness: number | null;
  /** 0 to 1: how much of the words of the row asked for this one has, rare ones weighing most. */
  readonly shared_words: number;
}

/** All that came of looking at one row. */
export interface Check {
  readonly memory: StoredMemory;
  /** What its writer states beside its text, if anything. */
  readonly claim: ClaimKey | null;
  readonly findings: readonly NewFinding[];
  /** As it was told of the row; absent for no. */
  readonly is_partial?: boolean;
}

/** What is shown of the other row of a finding. */
export type FoundMemory = Pick<StoredMemory, "id" | "content" | "status" | "created_at" | "supersedes_id">;

/** A finding that stands, as one of its rows sees it. */
export interface StoredFinding {
  /** `supersedes`: the other row is the older one. */
  readonly direction: "supersedes" | "superseded_by";
  readonly other: FoundMemory;
  readonly status: FoundStatus;
  readonly rule: string;
  readonly confidence: number;
  readonly why: string | null;
  readonly own_span: TextSpan;
  readonly other_span: TextSpan;
}

/** An older row, as the row that supersedes it shows it. */
export interface Superseded {
  readonly newer_id: string;
  readonly older: Pick<StoredMemory, "id" | "status">;
  readonly status: DemotedStatus;
  /** The first 200 characters of the older row. */
  readonly preview: string;
}

/** A live row in place of a superseded one. */
export interface Successor {
  readonly older_id: string;
  readonly newer_id: string;
}

/** What was decided about a finding: it stands and was accepted, or it was taken back by a caller. */
export type Review = Exclude<ConflictState, "open">;

/** By what findings are named. */
export interface FindingKey {
  readonly newer_id: string;
  readonly older_id: string;
}

/** Where a page of findings ended. */
export interface FindingEdge extends FindingKey {
  readonly found_at: string;
}

export interface ConflictQuery extends PageBounds {
  /** Both rows are within it. */
  readonly filter: MemoryFilter;
  readonly state: ConflictState | "all";
  readonly after: FindingEdge | null;
}

/** A finding of the detector with both of its rows. */
export interface FoundConflict {
  readonly newer: ConflictSide;
  readonly older: ConflictSide;
  /** What the detector made of the older row. */
  readonly status: FoundStatus;
  readonly rule: string;
  readonly confidence: number;
  readonly why: string | null;
  readonly newer_span: TextSpan;
  readonly older_span: TextSpan;
  readonly found_at: string;
  readonly state: ConflictState;
  readonly reviewed_at: string | null;
  readonly reviewed_by: string | null;
}

export type ConflictSide = Pick<
  StoredMemory,
  "id" | "content" | "status" | "agent_id" | "fleet_id" | "memory_type" | "created_at" | "ts_valid_start"
>;

/** How many findings nobody has reviewed, and of how many the older row is in conflict still: those wait for a decision. */
export interface OpenCount {
  readonly open: number;
  readonly waiting: number;
  readonly possible: number;
}

/** A decision about a finding. */
export interface FindingReview extends FindingKey {
  /** Both rows are within it. */
  readonly filter: MemoryFilter;
  readonly decision: ReviewDecision;
  readonly reason: string | null;
  /** Called with each of the two rows before anything is changed; it throws where the caller may not change the row. */
  permit(memory: StoredMemory): void;
}

/** Name of the rule of findings that a caller makes by correcting a row: nobody has to review those. */
export const CORRECTION = "correction";

export interface ContradictionStore extends PossibleConflicts, JudgedFindings {
  /**
   * The rows among `ids` that the detector has not checked as they are now, oldest first: a row checked before it had a
   * vector of this embedder counts as not checked once it has one.
   */
  unchecked(tenant_id: string, ids: readonly string[], embedder_id: string): Promise<UncheckedMemory[]>;
  /**
   * Rows of the same tenant and fleet, at most 64, that speak of the same thing by claim, vector, words or entity, and whose readers
   * the two rows can share: live ones, and of those that the detector demoted the conflicted and the later ones. Only rows
   * that were checked as they are: the others meet this one when their own turn comes, so that each pair is compared once.
   */
  candidates(query: CandidateQuery): Promise<ConflictCandidate[]>;
  /**
   * Files what a row states and returns the rows that state something of the same subject and predicate, as `candidates` does but
   * whether they were checked or not.
   */
  stated(query: StatedQuery): Promise<ConflictCandidate[]>;
  /**
   * Stores what rows claim and what was found, demotes and links rows, in their order and in one transaction; twice equals
   * once. Passed over are findings whose rows are no longer as they were read (the row checked is queued again), whose older row
   * has a status of somebody else's making that is not live, and pairs that a caller undid. A partial check that reading anew has
   * overtaken is passed over, too, and its row queued again.
   */
  record(checks: readonly Check[], actor: Actor): Promise<void>;
  /**
   * Stores one finding as `record` does; neither row counts as checked by it.
   */
  put(found: NewFinding, actor: Actor): Promise<void>;
  /**
   * Has the next few rows of a tenant below a number, from its newest for null, compared once more: of those with a vector of
   * the model that answers the ones that were checked since a moment. Returns below which number to go on; null when all are done.
   */
  recheckSince(tenant_id: string, since: string, below: number | null): Promise<number | null>;
  /** Has rows that the model has refused to read compared once more as soon as it has read them. */
  recheckOnceRead(tenant_id: string, ids: readonly string[]): Promise<void>;
  /**
   * Takes back what rows that have expired since had found against older ones, which are then what they were. Returns when
   * the next such row expires, in epoch milliseconds; null when none will.
   */
  retractExpired(actor: Actor): Promise<number | null>;
  /** When the detector checked the row as it is; null when it has not yet. */
  checkedAt(key: MemoryKey): Promise<string | null>;
  /** What stands about a row, surest first, as far as the reader sees the other row. */
  findings(key: MemoryKey, read_scope: ReadScope): Promise<StoredFinding[]>;
  /** Findings of the detector about texts as they are now, newest first: those that stand, and those that a caller took back. */
  conflicts(query: ConflictQuery): Promise<Page<FoundConflict>>;
  /** How many of those nobody has reviewed, counted up to `max`. */
  countOpen(filter: MemoryFilter, max: number): Promise<OpenCount>;
  /**
   * Applies a decision to the finding about two rows, with statuses, links and audit in one transaction; twice equals once. Null
   * where there is none. Throws BAD_REQUEST where one that was taken back cannot stand any more.
   */
  review(review: FindingReview, actor: Actor): Promise<FoundConflict | null>;
  /** The older rows that each of these rows supersedes, a hundred at most: the surest of those that the reader sees. */
  superseded(tenant_id: string, ids: readonly string[], read_scope: ReadScope): Promise<Superseded[]>;
  /** The rows within the filter at the end of the chains that lead from these superseded rows; newest first for each. */
  successors(ids: readonly string[], filter: MemoryFilter): Promise<Successor[]>;
}
