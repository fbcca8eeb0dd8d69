import type { MemoryType } from "../../core/schema/memory.ts";
import { MEMORY_TYPES } from "../../core/schema/memory.ts";
import type { StoredVectors } from "../common/index-codes.ts";
import type { Unit } from "./unit.ts";

/** A stored row with its set of readers, under which its words stand. */
export interface WordedRow {
  readonly seq: number;
  readonly audience: number;
  readonly title: string | null;
  readonly content: string;
}

/** What the codes must know of a row, so that a search filters while it looks. */
export interface CodedRow {
  readonly seq: number;
  readonly author: number;
  readonly audience: number;
  readonly memory_type: MemoryType;
}

/** A row and what the model made of it. */
export interface RowToCode {
  readonly row: CodedRow;
  readonly vectors: StoredVectors;
}

/** A row whose vectors are filed again. */
export type Recoded = CodedRow & { readonly previous_seq: number | null };

/** Vectors of a row as they were filed, with the embedder that made them. */
export type FiledVectors = StoredVectors & { readonly embedder_id: string };

/**
 * How an engine has a tenant's memories found, each in its own way: by their words, and by their vectors, exact and as codes.
 * All of it inside the caller's transaction.
 */
export interface MemoryIndex {
  /** Writes or replaces the keywords of stored rows, under their readers of now. */
  putWords(rows: readonly WordedRow[]): Unit<void>;
  /** Takes rows out of the keyword index; before their readers change, for their words stand under those. */
  removeWords(seqs: readonly number[]): Unit<void>;
  /** Writes or replaces the vectors of rows. */
  putVectors(rows: readonly RowToCode[]): Unit<void>;
  /** Rows' vectors as they were filed, by the rows' numbers; those without any are left out. */
  filedVectors(seqs: readonly number[]): Unit<ReadonlyMap<number, FiledVectors>>;
  /**
   * Files the vectors that rows have again, without the context that is no longer their own. Returns the numbers of those
   * rows; the others have none of this embedder.
   */
  recode(rows: readonly Recoded[]): Unit<ReadonlySet<number>>;
  /** Takes rows out of what search finds by meaning; their vectors stay. */
  removeCodes(seqs: readonly number[]): Unit<void>;
  /** Forgets the vectors of rows, exact and coded, of both models that a store has room for. */
  removeVectors(seqs: readonly number[]): Unit<void>;
  /** Forgets what the model beside the one that answers made of rows, which is no longer true: it is made again when wanted. */
  removeOtherVectors(seqs: readonly number[]): Unit<void>;
}

/** The integer that stands for a memory type beside the codes. */
export const typeCode = (type: string): number => MEMORY_TYPES.map(String).indexOf(type);
