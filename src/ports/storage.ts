import type { IntegrityCheck } from "../schema/integrity.ts";
import type { AgentStore, AuditStore, KeyStore, ReplyStore } from "./account-stores.ts";
import type { DocumentStore, SettingsStore, StoredDocument } from "./document-store.ts";
import type { ForgeStore } from "./forge-store.ts";
import type { JobStore } from "./job-store.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { SkillStore } from "./skill-store.ts";

/** How far a rebuild came: the last row of each kind that is done. */
export interface RebuildStep {
  readonly memories: number;
  readonly documents: number;
  readonly embeddings_queued: number;
  /** Where to go on; null when all is done. */
  readonly next: RebuildPlace | null;
}
export interface RebuildPlace {
  readonly table: "memories" | "documents";
  readonly after: number;
}

/** What search reads of a document. */
export interface SearchableText {
  readonly summary: string;
  readonly text: string;
}

/** What is derived from the rows, for search: it can be checked against them, and made anew from them. */
export interface IndexStore {
  inspect(): Promise<IntegrityCheck[]>;
  /** Makes the indexes of a few rows anew, in one transaction; search goes on meanwhile. Null begins. */
  rebuild(from: RebuildPlace | null, textOf: (document: StoredDocument) => SearchableText | null): Promise<RebuildStep>;
}

/** A storage engine. Every method of its stores is a whole unit of work; no transaction crosses this port. */
export interface Storage {
  readonly engine: string;
  readonly ephemeral: boolean;
  readonly memories: MemoryStore;
  readonly documents: DocumentStore;
  readonly skills: SkillStore;
  readonly settings: SettingsStore;
  readonly jobs: JobStore;
  readonly keys: KeyStore;
  readonly agents: AgentStore;
  readonly replies: ReplyStore;
  readonly audit: AuditStore;
  readonly forge: ForgeStore;
  /** Proves that data can be read and written at this moment. Throws AppError UNAVAILABLE with the cause. */
  ping(): Promise<void>;
  readonly indexes: IndexStore;
  /** Calls back after a transaction that added jobs. */
  onJobAdded(listener: () => void): void;
  /** Finishes, checkpoints and closes. */
  close(): Promise<void>;
}
