import type { PageEdge } from "../../kernel/cursor.ts";
import type { MemoryFilter } from "../memory-filter.ts";
import type { StoredMemory } from "../stored-memory.ts";

/** Rows that one agent wrote within some time. */
export interface WrittenBy {
  readonly agent_id: string;
  readonly memory_count: number;
}

/** How old a row is, how long it holds and whether it was of use. */
export type AgedRow = Pick<
  StoredMemory,
  "id" | "memory_type" | "created_at" | "ts_valid_start" | "ts_valid_end" | "recall_count"
>;

/** A row with the vector by which rows are held against each other. */
export interface PlacedRow extends Pick<StoredMemory, "id" | "title" | "memory_type" | "created_at"> {
  /** How it begins. */
  readonly content: string;
  readonly vector: Float32Array;
}

/** Where a part of the rows begins, and how many there may be. */
export interface RowsAfter {
  /** The last row of the part before; null begins. */
  readonly after: PageEdge | null;
  readonly limit: number;
}

/** What pictures of a tenant's memories are drawn from: parts of rows, so that very many cost little. */
export interface PictureRows {
  /** Who wrote how many rows of the filter from each of some instants up to the next one; the last instant only ends. */
  writtenBetween(filter: MemoryFilter, instants: readonly string[]): Promise<readonly (readonly WrittenBy[])[]>;
  /** Rows of the filter, newest first. */
  aged(filter: MemoryFilter, part: RowsAfter): Promise<AgedRow[]>;
  /** Rows of the filter with vectors that are not silent, newest first, with so many characters of their contents. */
  placed(filter: MemoryFilter, part: RowsAfter & { readonly characters: number }): Promise<PlacedRow[]>;
}
