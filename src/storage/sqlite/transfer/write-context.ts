import type { ImportBatch } from "../../../core/ports/keeping/transfer.ts";

/** What all records of a batch share. */
export interface WriteContext {
  readonly batch: ImportBatch;
  readonly now: string;
  /** Memories that the tenant may still take. */
  readonly room: number;
}
