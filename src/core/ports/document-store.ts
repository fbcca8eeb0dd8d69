import type { JsonObject } from "../kernel/json.ts";
import type { Job } from "../schema/job.ts";
import type { SkillApproval } from "../schema/skill.ts";
import type { QueryVector, WeighedWord } from "./hits.ts";
import type { StaleRow, StaleRows } from "./keeping/stale-rows.ts";
import type { Actor } from "./memory-store.ts";
import type { Page, PageBounds } from "./page.ts";

/** A document as it lies in storage. */
export interface StoredDocument {
  readonly id: string;
  readonly tenant_id: string;
  readonly fleet_id: string | null;
  readonly collection: string;
  readonly doc_id: string;
  readonly data: JsonObject;
  readonly created_at: string;
  readonly updated_at: string;
  /** What search embeds; null for a document that search never reaches. */
  readonly summary: string | null;
  /** Id of the embedder whose vector the row carries; null without one. */
  readonly embedded_by: string | null;
  /** Of a skill, the word on which it is delivered. No caller writes it, and every write that does not give it anew takes it away. */
  readonly approval: SkillApproval | null;
}

export interface DocumentKey {
  readonly tenant_id: string;
  readonly collection: string;
  /** The caller's doc_id, or where reading allows it, the row's id. */
  readonly doc_id: string;
}

/** A document that may share its name with others. */
export interface NamedDocument extends DocumentKey {
  /**
   * Which of the documents of this name is meant, by its doc_id, or under which a new one is stored; asked under the write
   * lock, pure, and may throw. Absent: the one of this very doc_id.
   */
  among?(namesakes: readonly StoredDocument[]): string;
}

/** What a write makes of a document. */
export interface DocumentChange {
  readonly fleet_id: string | null;
  readonly data: JsonObject;
  /** What search embeds, and the words it reads besides; null takes the document out of search. */
  readonly searchable: { readonly summary: string; readonly text: string } | null;
  /** Vector of the summary; null keeps the one there is while the summary stays the same, else leaves it for the jobs. */
  readonly vector: Float32Array | null;
  readonly embedded_by: string | null;
  /** Absent or null leaves the document without one. */
  readonly approval?: SkillApproval | null;
  /** How many documents the tenant may hold: beyond, a new one is refused with PLAN_LIMIT_READ_ONLY. Absent for no bound. */
  readonly documents_limit?: number | undefined;
  readonly action: string;
  readonly reason?: string | undefined;
  /** Members of data that the audit row shows; of everything else it keeps a hash. */
  readonly shown?: readonly string[] | undefined;
  jobsFor(document: StoredDocument): readonly Job[];
}

export interface DocumentFilter extends SeesSkills {
  readonly tenant_id: string;
  readonly collection: string;
  /** null for those of none. */
  readonly fleet_id?: string | null | undefined;
  /** Members of data that must be equal, value and type. */
  readonly where?: JsonObject | undefined;
  /** Only what somebody approved. */
  readonly approved?: boolean | undefined;
}

/** For most callers only active skills exist, of these fleets and of none, where a tenant governs its skills. */
export interface SkillVisibility {
  readonly fleets: readonly string[] | "all";
}

/** Whose skills count; null or absent for all documents. */
export interface SeesSkills {
  readonly skill_visibility?: SkillVisibility | null | undefined;
}

export interface DocumentPage {
  readonly filter: DocumentFilter;
  /** Member of data to sort by; absent for newest change first. */
  readonly order_by?: string | undefined;
  readonly order: "asc" | "desc";
  readonly offset: number;
  readonly limit: number;
  /** Members of data that are left out of what is read. */
  readonly without?: readonly string[] | undefined;
}

export interface DocumentHitQuery extends SeesSkills {
  readonly tenant_id: string;
  readonly collection?: string | undefined;
  readonly fleet_id?: string | undefined;
  readonly vector: QueryVector | null;
  readonly words: readonly string[];
  readonly pool: number;
}

/** What a document holds, by the id of its row. */
export type FoundData = Pick<StoredDocument, "id" | "data">;
/** What ranking reads of a document: a search ranks many more than it shows. */
export type DocumentName = Pick<StoredDocument, "id" | "collection" | "doc_id">;

/** A document with raw signals, before ranking. */
export interface DocumentRawHit {
  readonly document: DocumentName;
  readonly vec_sim: number | null;
  /** Words of the query in the document, as bits in the order of `words`. */
  readonly own_words: number;
}

export interface DocumentHits {
  readonly hits: readonly DocumentRawHit[];
  readonly words: readonly WeighedWord[];
  /** How many words of the query no document holds. */
  readonly absent: number;
}

export interface DocumentVector {
  readonly id: string;
  /** The summary the vector was made from; a document that changed meanwhile is skipped. */
  readonly summary: string;
  readonly vector: Float32Array;
}

export interface DocumentStore {
  /** Reads, decides and writes one document under the write lock. `decide` is pure and may throw. */
  upsert(
    key: NamedDocument,
    actor: Actor,
    decide: (current: StoredDocument | null) => DocumentChange,
  ): Promise<{ before: StoredDocument | null; after: StoredDocument }>;
  /** Deletes for good. `decide` may refuse by throwing, and names the action. False when there is none. */
  remove(key: NamedDocument, actor: Actor, decide: (current: StoredDocument) => string): Promise<boolean>;
  /** By doc_id, else by the row's id. */
  get(key: DocumentKey): Promise<StoredDocument | null>;
  /** All that are stored under a name, oldest first (`core/schema/keystones/names.ts`). */
  namesakes(key: DocumentKey): Promise<StoredDocument[]>;
  list(page: DocumentPage): Promise<StoredDocument[]>;
  page(page: DocumentPage & PageBounds): Promise<Page<StoredDocument>>;
  /** Data of these rows of a tenant by their ids, in that order, as far as it fits into so many bytes. */
  dataOf(tenant_id: string, wanted: { ids: readonly string[]; bytes: number }): Promise<Page<FoundData>>;
  collections(
    tenant_id: string,
    fleet_id: string | null,
    skill_visibility?: SkillVisibility | null,
  ): Promise<{ name: string; count: number }[]>;
  hits(query: DocumentHitQuery): Promise<DocumentHits>;
  /** Searchable documents among these row ids that lack a vector of this embedder. */
  pending(tenant_id: string, ids: readonly string[], embedder_id: string): Promise<StoredDocument[]>;
  /** Documents of a tenant that only other models than this embedder have read, newest first. */
  stale(asked: StaleRows): Promise<StaleRow[]>;
  fillVectors(tenant_id: string, vectors: readonly DocumentVector[]): Promise<void>;
}

export interface SettingsStore {
  /** What the tenant changed, without defaults. */
  get(tenant_id: string): Promise<JsonObject>;
  /** Tenants that changed any. */
  tenants(): Promise<string[]>;
  /** Reads, decides and writes under the write lock; returns what `decide` returned. */
  change(tenant_id: string, actor: Actor, decide: (current: JsonObject) => JsonObject): Promise<JsonObject>;
}
