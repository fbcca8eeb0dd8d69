import { canonicalJson } from "../../core/kernel/json.ts";
import type { ImportBatch, ImportOutcome } from "../../core/ports/keeping/transfer.ts";

/** What all records of a batch share. */
export interface Batch {
  readonly batch: ImportBatch;
  readonly now: string;
}

export const CREATED: ImportOutcome = { outcome: "created", id: null, error: null };
export const EXISTS: ImportOutcome = { outcome: "exists", id: null, error: null };
const DIFFERENT: ImportOutcome = { outcome: "different", id: null, error: null };

/** What becomes of a record where there is one already. */
export const beside = (present: unknown, sent: unknown): ImportOutcome =>
  canonicalJson(present) === canonicalJson(sent) ? EXISTS : DIFFERENT;

/** A record that cannot be taken, and why. */
export const refused = (error: string): ImportOutcome => ({ outcome: "refused", id: null, error });
