import type { ReadScope } from "../memory-filter.ts";
import type { MemoryKey } from "../stored-memory.ts";

/** Texts of one memory that are kept; of more edits the newest. */
export const KEPT_TEXTS_MAX = 20;

/** What a memory says that an edit is to take the place of. */
export interface KeptWords {
  readonly content: string;
  /** Null without one, and where it was inferred from the text. */
  readonly title: string | null;
}

/** What a memory said until an edit. */
export interface KeptText extends KeptWords {
  readonly id: string;
  readonly replaced_at: string;
  /** The agent that made the edit; null where none did. */
  readonly replaced_by: string | null;
}

/** Texts that edits replaced: they go with their memory, or when their grace is over. */
export interface KeptTextStore {
  /** Those of a memory, the newest first, that the reader saw when they were its text; none where it does not see the memory. */
  of(key: MemoryKey, read_scope: ReadScope): Promise<KeptText[]>;
  /** Tenants that have any. */
  tenants(): Promise<string[]>;
  /** Removes up to `limit` that were replaced before a moment, for good. Returns how many. */
  removeBefore(tenant_id: string, before: string, limit: number): Promise<number>;
}
