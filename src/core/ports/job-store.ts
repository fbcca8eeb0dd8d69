import type { Job, RecurringKind } from "../schema/job.ts";

/**
 * Jobs that are worked on beside those of other lanes: what embeds, what embeds anew rows of another model, what compares stated
 * values, which asks no model, and all else.
 */
export type JobLane = "embedding" | "reembedding" | "stated" | "others";

/** A job that the runner holds until `leased_until`; after that another claim may take it. */
export interface LeasedJob {
  readonly id: number;
  readonly job: Job;
  /** Counts from 1. */
  readonly attempt: number;
}

/** Jobs that are not finished, each in one of the first three. */
export interface JobTally {
  readonly due: number;
  readonly running: number;
  /** To be run later: failed, and tried again after a pause. */
  readonly scheduled: number;
  /** Failed at least once, wherever they are now. */
  readonly failing: number;
  /** Memories in the jobs that read them for what they say. */
  readonly understanding_pending: number;
}

/** Jobs of one kind that are not finished, as of all kinds in `JobTally`. */
export interface KindTally extends Omit<JobTally, "understanding_pending"> {
  readonly kind: string;
}

/** A job that failed and was not finished since. */
export interface FailingJob {
  /** Null where it is of no tenant. */
  readonly tenant_id: string | null;
  readonly kind: string;
  readonly attempt: number;
  readonly run_after_ms: number;
  /** What the log says of its last failure; never contents. */
  readonly reason: string;
}

export interface JobStore {
  /**
   * Adds a job that reads anew for each tenant with rows that only another model has read, unless it has one, or each of those
   * rows was refused and has a job of its own. Returns how many.
   */
  addReembedding(embedder_id: string, runAfterMs: number): Promise<number>;
  add(jobs: readonly Job[], runAfterMs: number): Promise<void>;
  /** Adds each job of whose kind there is none: what makes a recurring job one row, whatever happened before. */
  ensure(jobs: readonly Job[], runAfterMs: number): Promise<void>;
  /**
   * The due job that waited longest, of the first of some lanes that has one, leased until `nowMs + leaseMs`; null when there is none. What
   * embeds goes first, and rows are read for what they say once the jobs that were to embed rows before them had their turn;
   * small jobs that read rows of one tenant are claimed as one.
   */
  claim(nowMs: number, leaseMs: number, lanes?: readonly JobLane[]): Promise<LeasedJob | null>;
  finish(id: number): Promise<void>;
  /**
   * The same, adding others in its place behind all that wait, in one transaction: each unless the same waits, and none where
   * another process has taken the job over.
   */
  replace(id: number, jobs: readonly Job[], runAfterMs: number): Promise<void>;
  /** Gives a recurring job back for its next time. */
  again(id: number, runAfterMs: number): Promise<void>;
  /** Gives the job back to run again at `runAfterMs`, with the reason of the failure; null where it was only told to stop. */
  retry(id: number, runAfterMs: number, reason: string | null): Promise<void>;
  /** Makes every job due that would wait beyond now: what a dead process had leased, or a clock since put back had set. */
  wake(nowMs: number): Promise<void>;
  /** Has a recurring job run no later than this; one that runs just now has its own next time. */
  bringForward(kind: RecurringKind, runAfterMs: number): Promise<void>;
  /** When the next job becomes due, in epoch milliseconds; null when there is none. */
  nextDue(): Promise<number | null>;
  /** Whether no job is due or in hand, recurring ones included. */
  isIdle(nowMs: number): Promise<boolean>;
  /** The jobs that are left, of one tenant or of all; those that come again and again are never done and not counted. */
  tally(nowMs: number, tenant_id: string | null): Promise<JobTally>;
  /** The same by kind, in the order of their names. */
  countByKind(nowMs: number, tenant_id: string | null): Promise<readonly KindTally[]>;
  /** Failing jobs of one tenant or of all, recurring ones among them, most attempts first. */
  failing(tenant_id: string | null, limit: number): Promise<readonly FailingJob[]>;
}
