import { canonicalJson } from "../../../core/kernel/json.ts";
import type { ImportBatch, ImportOutcome } from "../../../core/ports/keeping/transfer.ts";

/** What all records of a batch share. */
export interface WriteContext {
  readonly batch: ImportBatch;
  readonly now: string;
  /** Memories that the tenant may still take. */
  readonly room: number;
  /** Counts one more document; false where the tenant may take none. */
  readonly takesDocument: () => boolean;
}

/** Counts down the documents that a tenant that holds so many may still take. */
export function documentRoom(stored: number, limit: number): () => boolean {
  let left = limit - stored;
  return () => left-- > 0;
}

export const CREATED: ImportOutcome = { outcome: "created", id: null, error: null };
export const EXISTS: ImportOutcome = { outcome: "exists", id: null, error: null };
export const DIFFERENT: ImportOutcome = { outcome: "different", id: null, error: null };
export const NO_ROOM_FOR_DOCUMENT: ImportOutcome = {
  outcome: "refused",
  id: null,
  error: "The tenant holds as many documents as it may.",
};
/** What becomes of a record where there is one already. */
export const beside = (present: unknown, sent: unknown): ImportOutcome =>
  canonicalJson(present) === canonicalJson(sent) ? EXISTS : DIFFERENT;
/** A record that cannot be taken, and why. */
export const refused = (error: string): ImportOutcome => ({ outcome: "refused", id: null, error });
