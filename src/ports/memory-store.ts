import type { PageEdge } from "../kernel/cursor.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Visibility } from "../schema/access.ts";
import type { Job } from "../schema/job.ts";
import type { EntityLink, MemoryStatus, MemoryType } from "../schema/memory.ts";
import type { MemorySort, MemoryStats } from "../schema/memory-query.ts";

/** A link from a row to an entity; an inferred one follows from the row's text and goes with it. */
export interface StoredLink extends EntityLink {
  readonly inferred?: true;
}

/** A memory as it lies in storage. Names are those of the wire; instants are UTC texts of `toTimestamp`. */
export interface StoredMemory {
  readonly id: string;
  readonly tenant_id: string;
  readonly fleet_id: string | null;
  readonly agent_id: string;
  readonly memory_type: MemoryType;
  readonly title: string | null;
  readonly content: string;
  readonly weight: number;
  readonly source_uri: string | null;
  readonly run_id: string | null;
  readonly metadata: JsonObject | null;
  readonly system_metadata: JsonObject | null;
  readonly entity_links: readonly StoredLink[];
  readonly content_hash: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly deleted_at: string | null;
  readonly subject_entity_id: string | null;
  readonly predicate: string | null;
  readonly object_value: string | null;
  readonly ts_valid_start: string | null;
  readonly ts_valid_end: string | null;
  readonly status: MemoryStatus;
  readonly visibility: Visibility;
  readonly recall_count: number;
  readonly last_recalled_at: string | null;
  readonly supersedes_id: string | null;
  /** Id of the embedder whose vector the row carries; null while it waits for one. */
  readonly embedded_by: string | null;
}

/** Who acted, for the audit row that every change leaves in its own transaction. */
export interface Actor {
  readonly agent_id: string | null;
  readonly auth_source: string;
}

/** Where a reader stands: decides which memories exist for it. */
export interface Reach {
  readonly tenant_id: string;
  /** Sees this agent's private memories; null sees none. */
  readonly agent_id: string | null;
  /** Fleets whose team memories are seen besides those without a fleet; `all` sees every fleet. */
  readonly fleets: readonly string[] | "all";
}

export interface MemoryFilter {
  readonly tenant_id: string;
  /** Limits the rows to what this reader may see; absent for counts that belong to the tenant as a whole. */
  readonly reach?: Reach | undefined;
  readonly written_by?: string | undefined;
  /** Rows of these fleets; with `orShared`, also rows without a fleet and organisation-wide rows. */
  readonly fleets?: { readonly ids: readonly string[]; readonly orShared: boolean } | undefined;
  readonly memory_types?: readonly string[] | undefined;
  readonly exclude_memory_types?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
  readonly visibility?: Visibility | undefined;
  readonly run_id?: string | undefined;
  readonly weight_min?: number | undefined;
  readonly weight_max?: number | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  /** Rows that had not expired at this moment. */
  readonly unexpired_at?: string | undefined;
  /** Rows whose validity interval does not exclude this moment. */
  readonly valid_at?: string | undefined;
  readonly include_deleted?: boolean | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly exclude_ids?: readonly string[] | undefined;
  /** Members that the caller's metadata must have, compared as text. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface MemoryPageRequest {
  readonly filter: MemoryFilter;
  readonly sort: MemorySort;
  readonly order: "asc" | "desc";
  readonly after: PageEdge | null;
  readonly offset: number;
  readonly limit: number;
}

export interface NewMemory {
  readonly memory: StoredMemory;
  /** Vectors by `memory.embedded_by`; null leaves the row pending. */
  readonly vectors: RowVectors | null;
  /** Idempotent name of this item within a bulk attempt. */
  readonly client_request_id: string | null;
}

export type InsertOutcome =
  | { readonly outcome: "created"; readonly memory: StoredMemory }
  | { readonly outcome: "duplicate_content"; readonly id: string }
  | { readonly outcome: "duplicate_attempt"; readonly id: string }
  | { readonly outcome: "over_limit" };

export interface InsertBatch {
  readonly entries: readonly NewMemory[];
  readonly actor: Actor;
  /** Rows the tenant may hold; entries beyond are refused, never dropped silently. */
  readonly memories_limit: number;
  /** Work to queue in the same transaction for the rows that were created. */
  jobsFor(created: readonly StoredMemory[]): readonly Job[];
}

/** What may change of a stored memory; what it is and who wrote it may not. */
export type MemoryPatch = Partial<
  Omit<StoredMemory, "id" | "tenant_id" | "fleet_id" | "agent_id" | "run_id" | "created_at" | "deleted_at">
>;

export interface MemoryChange {
  readonly patch: MemoryPatch;
  /** Vectors of a changed content; null leaves the row pending; absent keeps those it has. */
  readonly vectors?: RowVectors | null;
  /** Work to queue in the same transaction. */
  readonly jobs?: readonly Job[];
  /** Name of the change in the audit log. */
  readonly action: string;
  readonly reason?: string;
}

export interface MemoryUpdate {
  readonly before: StoredMemory;
  readonly after: StoredMemory;
}

export interface FleetCount {
  readonly fleet_id: string;
  readonly memory_count: number;
  readonly agent_count: number;
}

export type MemoryKey = Pick<StoredMemory, "tenant_id" | "id">;

/** What one search asks of storage: a filter, the query's vector and words, and bounds. */
export interface HitQuery {
  readonly filter: MemoryFilter;
  readonly vector: { readonly embedder_id: string; readonly values: Float32Array } | null;
  /** Words of the query, lower-case, without stop words; at most 30. */
  readonly words: readonly string[];
  /** Rows that each leg may contribute. */
  readonly pool: number;
}

/** A word of the query with its weight: the rarer among the stored rows, the heavier; 0 when it is too common to tell. */
export interface WeighedWord {
  readonly word: string;
  readonly weight: number;
}

/** A memory with raw signals, before ranking. Sets of matched words are bits in the order of `HitReply.words`. */
export interface Hit {
  readonly memory: StoredMemory;
  /** Cosine of query and row; null while the row has no vector of the query's model. */
  readonly vec_sim: number | null;
  /** Cosine of query and the row read together with its neighbours in the run; null where there is none. */
  readonly context_sim: number | null;
  /** Words of the query in the row itself. */
  readonly own_words: number;
  /** Words of the query in the rows written just before and after it in the same run. */
  readonly near_words: number;
  /** Which legs found the row. */
  readonly legs: readonly HitLeg[];
}
export type HitLeg = "vector" | "keyword";

export interface HitReply {
  readonly hits: readonly Hit[];
  readonly words: readonly WeighedWord[];
  /** Milliseconds each stage took, for diagnosis. */
  readonly took_ms: { readonly vector: number; readonly keyword: number; readonly load: number };
}

/** The text of the row before one in its run. */
export type PreviousText = Pick<StoredMemory, "content" | "content_hash">;

/** A row that waits for its vectors, with the row before it in the run (for the same readers). */
export interface PendingMemory {
  readonly memory: StoredMemory;
  readonly previous: PreviousText | null;
}

/** What a row's text looks like to the embedder: alone, and read with the row before it. */
export interface RowVectors {
  readonly own: Float32Array;
  /** Stored only while the row before still has the text of this `content_hash`. */
  readonly context: { readonly values: Float32Array; readonly previous_hash: string } | null;
}

export interface NewVector {
  readonly id: string;
  /** The content the vector was made from; a row whose content changed meanwhile is skipped. */
  readonly content_hash: string;
  readonly vectors: RowVectors;
}

export interface MemoryStore {
  /** All entries in one transaction, with words, vectors, usage, audit and job rows. */
  insert(batch: InsertBatch): Promise<InsertOutcome[]>;
  /** The row if the reader may see it; null otherwise, and when deleted. */
  get(key: MemoryKey, reach: Reach): Promise<StoredMemory | null>;
  /** The row that a request of this name stored, deleted or not; null when there is none. */
  ofRequest(tenant_id: string, client_request_id: string): Promise<StoredMemory | null>;
  getVector(key: MemoryKey): Promise<Float32Array | null>;
  list(page: MemoryPageRequest): Promise<StoredMemory[]>;
  count(filter: MemoryFilter): Promise<number>;
  stats(filter: MemoryFilter): Promise<MemoryStats>;
  /** Rows of the tenant that are not deleted. */
  stored(tenant_id: string): Promise<number>;
  /**
   * Reads, decides and writes one row under the write lock. Null when there is no such row within the filter. Throws what
   * `decide` throws, and DUPLICATE_MEMORY when the changed text already stands elsewhere.
   */
  update(
    filter: MemoryFilter,
    actor: Actor,
    decide: (current: StoredMemory) => MemoryChange,
  ): Promise<MemoryUpdate | null>;
  /** Soft delete of up to `limit` rows of the filter, oldest first. Returns how many. */
  remove(filter: MemoryFilter, actor: Actor, limit: number): Promise<number>;
  hits(query: HitQuery): Promise<HitReply>;
  /** The newest row of a run that has the same readers as this draft; null without one. */
  lastOfRun(draft: StoredMemory): Promise<PreviousText | null>;
  /** Rows among `ids` that are not deleted and lack a vector of this embedder. */
  pending(tenant_id: string, ids: readonly string[], embedder_id: string): Promise<PendingMemory[]>;
  fillVectors(tenant_id: string, vectors: readonly NewVector[]): Promise<void>;
  /** Adds one recall to each row. Never touches what ranking reads. */
  touchRecalls(tenant_id: string, ids: readonly string[], at: string): Promise<void>;
  /** Tenants that have memories, sorted. */
  tenants(): Promise<string[]>;
  /** Fleets of what a tenant shares, largest first. */
  fleets(tenant_id: string): Promise<FleetCount[]>;
  counters(): Promise<{ tenant_count: number; memory_count: number; agent_count: number }>;
}
