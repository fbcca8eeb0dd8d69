import type { PageEdge } from "../kernel/cursor.ts";
import type { Job } from "../schema/job.ts";
import type { MemorySort, MemoryStats } from "../schema/memory-query.ts";
import type { NewFinding } from "./finding.ts";
import type { HitQuery, HitReply } from "./hits.ts";
import type { KeptWords } from "./keeping/kept-texts.ts";
import type { StaleRow, StaleRows } from "./keeping/stale-rows.ts";
import type { MemoryFilter, ReadScope } from "./memory-filter.ts";
import type { Page, PageBounds } from "./page.ts";
import type { MemoryKey, StoredMemory } from "./stored-memory.ts";

/** Who acted, for the audit row that every change leaves in its own transaction. */
export interface Actor {
  readonly agent_id: string | null;
  readonly auth_source: string;
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
  /** What the one entry, or the row that says the same already, is said instead of. */
  readonly corrects?: CorrectedRow;
}

/** A row that another one takes the place of, in the transaction that stores that one. */
export interface CorrectedRow {
  readonly filter: MemoryFilter;
  /** Called before anything is stored, with the row as it is. */
  readonly permit: Permit;
  findingOf(newer: StoredMemory, older: StoredMemory): NewFinding;
}

export interface RestoreBatch extends Pick<InsertBatch, "actor" | "memories_limit" | "jobsFor"> {
  /** Names deleted rows. */
  readonly filter: MemoryFilter;
  readonly limit: number;
  /** `next` of the step before; null begins. */
  readonly after: number | null;
}

export type RestoreOutcome =
  | { readonly outcome: "restored"; readonly memory: StoredMemory }
  | { readonly outcome: "duplicate_content"; readonly existing_id: string }
  | { readonly outcome: "over_limit" };

export interface RestoreStep {
  readonly outcomes: readonly RestoreOutcome[];
  /** Where to go on; null when all is done. */
  readonly next: number | null;
}

/** What may change of a stored memory; what it is and who wrote it may not. */
export type MemoryPatch = Partial<
  Omit<StoredMemory, "id" | "tenant_id" | "agent_id" | "run_id" | "created_at" | "deleted_at">
>;

/** Where a row is to belong, as its new place makes it, or why it stays where it is. */
export type Placing =
  | { readonly outcome: "moved"; readonly patch: MemoryPatch }
  | { readonly outcome: "already_there" }
  | { readonly outcome: "refused"; readonly error: string };

export interface MoveBatch extends Pick<InsertBatch, "actor" | "jobsFor"> {
  readonly filter: MemoryFilter & { readonly ids: readonly string[] };
  /** Called with each row inside the transaction. */
  placing(current: StoredMemory): Placing;
  /** Stores nothing. */
  readonly dry_run: boolean;
}

export type MoveOutcome = { readonly id: string } & (
  | Exclude<Placing, { readonly outcome: "moved" }>
  | { readonly outcome: "moved" }
  | { readonly outcome: "duplicate"; readonly existing_id: string }
);

export interface MemoryChange {
  readonly patch: MemoryPatch;
  /** Vectors of a changed content; null leaves the row pending; absent keeps those it has. */
  readonly vectors?: RowVectors | null;
  /** Work to queue in the same transaction. */
  readonly jobs?: readonly Job[];
  /** Name of the change in the audit log. */
  readonly action: string;
  readonly reason?: string;
  /** What it said until then and is to be kept for a while. */
  readonly keeps?: KeptWords;
}

/** Called with a row inside the transaction that is to change it; throws to keep it, and all that goes with it, as it is. */
export type Permit = (memory: StoredMemory) => void;

export interface MemoryUpdate {
  readonly before: StoredMemory;
  readonly after: StoredMemory;
}

export interface FleetCount {
  readonly fleet_id: string;
  readonly memory_count: number;
  readonly agent_count: number;
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
  /** Null where either is of nothing that the model can read. Stored only while the row before still has the text of this `content_hash`. */
  readonly context: { readonly values: Float32Array; readonly previous_hash: string } | null;
}

export interface NewVector {
  readonly id: string;
  /** The content the vector was made from; a row whose content changed meanwhile is skipped. */
  readonly content_hash: string;
  readonly vectors: RowVectors;
}

export interface MemoryStore {
  /**
   * All entries in one transaction, with words, vectors, usage, audit and job rows. With `corrects`, NOT_FOUND where that row is
   * none of its filter, and what its `permit` throws.
   */
  insert(batch: InsertBatch): Promise<InsertOutcome[]>;
  /** The row if the reader may see it; null otherwise, and when deleted. */
  get(key: MemoryKey, read_scope: ReadScope): Promise<StoredMemory | null>;
  /** The row that a request of this name stored, deleted or not; null when there is none. */
  ofRequest(tenant_id: string, client_request_id: string): Promise<StoredMemory | null>;
  /** Null while the row has none, and for a silent one. */
  getVector(key: MemoryKey): Promise<Float32Array | null>;
  /** Vectors of rows by their ids, to hold the rows against each other. */
  vectorsOf(tenant_id: string, ids: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** Those of the rows that the reader may see, in the order of `ids`. */
  several(read_scope: ReadScope, ids: readonly string[]): Promise<StoredMemory[]>;
  /** The first of them, as far as they fit into so many bytes. */
  severalWithin(read_scope: ReadScope, wanted: { ids: readonly string[]; bytes: number }): Promise<Page<StoredMemory>>;
  list(page: MemoryPageRequest): Promise<StoredMemory[]>;
  page(page: MemoryPageRequest & PageBounds): Promise<Page<StoredMemory>>;
  /** Ids of up to `limit` rows of the filter, in order, from the one after `after` on. */
  ids(filter: MemoryFilter, after: string, limit: number): Promise<string[]>;
  count(filter: MemoryFilter): Promise<number>;
  stats(filter: MemoryFilter): Promise<MemoryStats>;
  /** Rows of the tenant that are not deleted, or of those the ones that a reader sees; costs no more for many. */
  stored(tenant_id: string, read_scope?: ReadScope): Promise<number>;
  /**
   * Reads, decides and writes one row under the write lock. Null when there is no such row within the filter. Throws what
   * `decide` throws, and DUPLICATE_MEMORY when the changed text already stands elsewhere.
   */
  update(
    filter: MemoryFilter,
    actor: Actor,
    decide: (current: StoredMemory) => MemoryChange,
  ): Promise<MemoryUpdate | null>;
  /**
   * Soft delete of up to `limit` rows of the filter, oldest first; `deleted_at` names the deletion that they are part of, now
   * unless it is given. Returns how many. Throws what `permit` throws.
   */
  remove(
    filter: MemoryFilter,
    actor: Actor,
    limit: number,
    options?: { readonly deleted_at?: string; readonly permit?: Permit | undefined },
  ): Promise<number>;
  /** Takes up to `limit` deleted rows back, in one transaction, with words, vectors, links, usage, audit and job rows. */
  restore(batch: RestoreBatch): Promise<RestoreStep>;
  /**
   * Moves the rows of the filter in one transaction, in the order of its ids, each if it may go and no live row says the same
   * there; with words, vectors, links, findings, audit and job rows. Says what became of each; of rows that are none of the filter
   * nothing.
   */
  move(batch: MoveBatch): Promise<MoveOutcome[]>;
  /**
   * Erases up to `limit` rows of the filter for good, oldest first, with all that was made of them; that they were is all the
   * audit still tells. Returns how many. What they leave between live data is overwritten by a job that this queues.
   */
  erase(filter: MemoryFilter, actor: Actor, limit: number, permit?: Permit): Promise<number>;
  /** Tenants that have deleted rows. */
  tenantsWithDeleted(): Promise<string[]>;
  hits(query: HitQuery): Promise<HitReply>;
  /** The newest row of a run that has the same readers as this draft; null without one. */
  lastOfRun(draft: StoredMemory): Promise<PreviousText | null>;
  /** Rows among `ids` that are not deleted and lack a vector of this embedder. */
  pending(tenant_id: string, ids: readonly string[], embedder_id: string): Promise<PendingMemory[]>;
  /** The same, but only which. */
  pendingIds(tenant_id: string, ids: readonly string[], embedder_id: string): Promise<string[]>;
  /** How many rows of the filter lack a vector of the embedder; counts no further than `most`. */
  countPending(filter: MemoryFilter, most: number): Promise<number>;
  /** The same of all tenants. */
  countAllPending(): Promise<number>;
  /** Rows of a tenant that only other models than this embedder have read, newest first. */
  stale(asked: StaleRows): Promise<StaleRow[]>;
  fillVectors(tenant_id: string, vectors: readonly NewVector[]): Promise<void>;
  /** Adds one recall to each row. Never touches what ranking reads. */
  touchRecalls(tenant_id: string, ids: readonly string[], at: string): Promise<void>;
  /** Tenants that have memories, sorted. */
  tenants(): Promise<string[]>;
  /** Fleets of what a tenant shares, largest first. */
  fleets(read_scope: ReadScope): Promise<FleetCount[]>;
  counters(): Promise<{ tenant_count: number; memory_count: number; agent_count: number }>;
}
