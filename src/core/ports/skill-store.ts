import type { MemoryStatus } from "../schema/memory.ts";
import type { DocumentChange, DocumentKey, StoredDocument } from "./document-store.ts";
import type { Actor } from "./memory-store.ts";
import type { Page, PageBounds } from "./page.ts";

/** A fingerprint that was rejected, and until when nothing like it is taken again. */
export interface DenylistEntry {
  readonly tenant_id: string;
  /** The fleet that it is barred from; null bars it from all. */
  readonly fleet_id: string | null;
  readonly fingerprint: string;
  readonly rejected_by: string | null;
  readonly rejected_at: string;
  readonly expires_at: string;
  readonly reason: string;
}

export interface DenylistQuery {
  readonly tenant_id: string;
  /** The fleet of whoever asks; null meets the entries of every fleet. */
  readonly fleet_id: string | null;
  readonly fingerprint: string;
  readonly at: string;
}

/** What a write or a move makes of a skill. */
export interface SkillChange extends DocumentChange {
  /** Barred in the same transaction. */
  readonly denylisted?: DenylistEntry | undefined;
  /** A document that is gone, in the same transaction, now that this one holds what it said. */
  readonly absorbs?: DocumentKey | undefined;
}

export interface InboxQuery {
  readonly tenant_id: string;
  /** Only those of this fleet. */
  readonly fleet_id: string | null;
  /** Only those of these fleets and of none. */
  readonly fleets: readonly string[] | "all";
  readonly offset: number;
  readonly limit: number;
}

/** Skills are documents; this is what they need beyond them. */
export interface SkillStore {
  /**
   * Reads, decides and writes one skill, or one update that waits, under the write lock. `decide` also sees the whole
   * family, itself included; it is pure and may throw.
   */
  change(
    key: DocumentKey,
    actor: Actor,
    decide: (current: StoredDocument | null, family: readonly StoredDocument[]) => SkillChange,
  ): Promise<{ before: StoredDocument | null; after: StoredDocument }>;
  /** The skills of a slug, whatever their provenance, and the updates of them that wait. */
  family(tenant_id: string, slug: string): Promise<StoredDocument[]>;
  /** Staged skills and updates, newest first; deferred ones last, the longest deferred first. */
  inbox(query: InboxQuery & PageBounds): Promise<Page<StoredDocument>>;
  /** When the bar on a fingerprint ends; null when there is none. */
  denylistedUntil(query: DenylistQuery): Promise<string | null>;
  /** Status of those of these memories that ever existed; `deleted` for a deleted one. */
  memoryStatuses(tenant_id: string, ids: readonly string[]): Promise<ReadonlyMap<string, MemoryStatus>>;
  /** Tenants that have skills, sorted. */
  tenants(): Promise<string[]>;
}
