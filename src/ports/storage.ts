import type { AgentStore, AuditStore, KeyStore, ReplyStore } from "./account-stores.ts";
import type { DocumentStore, SettingsStore } from "./document-store.ts";
import type { ForgeStore } from "./forge-store.ts";
import type { JobStore } from "./job-store.ts";
import type { MemoryStore } from "./memory-store.ts";

/** A storage engine. Every method of its stores is a whole unit of work; no transaction crosses this port. */
export interface Storage {
  readonly engine: string;
  readonly ephemeral: boolean;
  readonly memories: MemoryStore;
  readonly documents: DocumentStore;
  readonly settings: SettingsStore;
  readonly jobs: JobStore;
  readonly keys: KeyStore;
  readonly agents: AgentStore;
  readonly replies: ReplyStore;
  readonly audit: AuditStore;
  readonly forge: ForgeStore;
  /** Proves that data can be read and written at this moment. Throws AppError UNAVAILABLE with the cause. */
  ping(): Promise<void>;
  /** Calls back after a transaction that added jobs. */
  onJobAdded(listener: () => void): void;
  /** Finishes, checkpoints and closes. */
  close(): Promise<void>;
}
