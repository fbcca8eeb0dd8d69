import type { MemoryFilter } from "./memory-filter.ts";
import type { StoredMemory } from "./stored-memory.ts";

/** A query as a model reads it. */
export interface QueryVector {
  readonly embedder_id: string;
  readonly values: Float32Array;
}

/** What came of embedding a query; without a vector words alone answer it. */
export type EmbeddedQuery =
  | { readonly vector: QueryVector; readonly lacks: null }
  /** The model is not there yet, late or broken, or the query is silent: that cannot be read. */
  | { readonly vector: null; readonly lacks: "busy" | "silent" };

/** What one search asks of storage: a filter, the query's vector and words, and bounds. */
export interface HitQuery {
  readonly filter: MemoryFilter;
  /** Null for none. */
  readonly vector: QueryVector | null;
  /** Words of the query, lower-case, without stop words; at most 30. */
  readonly words: readonly string[];
  /** Those of them that surely stand for another one, and which: where a row holds such a one, the other has no slip. */
  readonly told?: ReadonlyMap<string, string>;
  /** Rows that each leg may contribute. */
  readonly pool: number;
  /**
   * Parts of a row that few questions look at; in the hits they are empty unless they are named here. They may be told
   * later: an engine that waits for a server looks words up before it knows which of them to read.
   */
  readonly extras?: readonly HitExtra[] | Promise<readonly HitExtra[]>;
  /** How many rows of the filter that wait for their vector are counted at most; none where absent. */
  readonly pending_most?: number;
}

export type HitExtra = "entity_links" | "system_metadata";

/** What ranking reads of a memory: a search ranks many more rows than it shows. */
export type HitMemory = Pick<
  StoredMemory,
  | "id"
  | "title"
  | "content"
  | "memory_type"
  | "status"
  | "run_id"
  | "created_at"
  | "ts_valid_start"
  | "ts_valid_end"
  | HitExtra
>;

/** A word of the query with its weight: the rarer among the stored rows, the heavier; 0 when it is too common to tell. */
export interface WeighedWord {
  readonly word: string;
  readonly weight: number;
  /** How many rows hold it; of a common one, at least so many. */
  readonly rows: number;
  /** The word that it was looked up as, where no row holds it and it may be that one with a slip of the pen. */
  readonly read_as?: string;
}

/** A memory with raw signals, before ranking. Sets of matched words are bits in the order of `HitReply.words`. */
export interface Hit {
  readonly memory: HitMemory;
  /** Cosine of query and row; null while that of the query's model is yet to come, and for a silent row. */
  readonly vec_sim: number | null;
  /** Cosine of query and the row read together with its neighbours in the run; null where there is none. */
  readonly context_sim: number | null;
  /** Words of the query in the row itself. */
  readonly own_words: number;
  /** Words of the query in the rows written just before and after it in the same run. */
  readonly near_words: number;
  /** No row of its run was written before it. */
  readonly opens_run: boolean;
  /** Which legs found the row. */
  readonly legs: readonly HitLeg[];
}

export type HitLeg = "vector" | "keyword";

export interface HitReply {
  readonly hits: readonly Hit[];
  readonly words: readonly WeighedWord[];
  /**
   * Rows of the filter that had no vector of the embedder yet before any was looked for, deleted ones aside, up to
   * `pending_most`: one that gets it meanwhile is rather announced in vain than missed in silence.
   */
  readonly pending: number;
  /** Milliseconds each stage took, for diagnosis. */
  readonly took_ms: {
    /** The words, and reading the rows that have them; over a server with what is looked up before both. */
    readonly keyword: number;
    /** Scanning the vectors. */
    readonly vector: number;
    /** Reading the rows that the scan found, and the cosines of all. */
    readonly load: number;
  };
}
