import type { RetractedWhy, Review } from "../../../core/ports/contradiction-store.ts";
import type { DemotedStatus } from "../../../core/ports/finding.ts";

/** A row of `findings`. */
export interface FindingRow {
  readonly tenant_id: string;
  readonly id: number;
  readonly newer_seq: number;
  readonly older_seq: number;
  /** The texts it speaks of. */
  readonly newer_hash: string;
  readonly older_hash: string;
  readonly status: DemotedStatus;
  readonly rule: string;
  readonly confidence: number;
  readonly newer_start: number;
  readonly newer_end: number;
  readonly older_start: number;
  readonly older_end: number;
  readonly created_at: string;
  /** Null while it stands. */
  readonly retracted_at: string | null;
  readonly retracted_why: RetractedWhy | null;
  /** What the detector made of the older row, where a review made it something else. */
  readonly detected_status: DemotedStatus | null;
  /** `accepted` while it stands, `both_stand` on the last one of a pair of texts that a caller undid. */
  readonly review: Review | null;
  readonly reviewed_at: string | null;
  readonly reviewed_by: string | null;
}
