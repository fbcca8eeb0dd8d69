import type { ImportBatch, ImportOutcome } from "../../../core/ports/keeping/transfer.ts";

/** What all records of a batch share. */
export interface WriteContext {
  readonly batch: ImportBatch;
  readonly now: string;
  /** Memories that the tenant may still take. */
  readonly room: number;
}

export const CREATED: ImportOutcome = { outcome: "created", id: null, error: null };
export const EXISTS: ImportOutcome = { outcome: "exists", id: null, error: null };
export const DIFFERENT: ImportOutcome = { outcome: "different", id: null, error: null };
/** A record that cannot be taken, and why. */
export const refused = (error: string): ImportOutcome => ({ outcome: "refused", id: null, error });
