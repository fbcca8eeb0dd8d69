import type { Damaged, IntegrityCheck } from "../schema/integrity.ts";
import type { RewordPlace } from "../schema/job.ts";
import type { AgentStore, AuditStore, KeyStore, ReplyStore } from "./account-stores.ts";
import type { ContradictionStore } from "./contradiction-store.ts";
import type { DocumentStore, SettingsStore, StoredDocument } from "./document-store.ts";
import type { EntityStore } from "./entity-store.ts";
import type { ForgeStore } from "./forge-store.ts";
import type { MaintenanceProgress } from "./index-maintenance.ts";
import type { JobStore } from "./job-store.ts";
import type { BackupStore } from "./keeping/backups.ts";
import type { ForgettingStore } from "./keeping/forgetting.ts";
import type { GenerationStore } from "./keeping/generations.ts";
import type { KeptTextStore } from "./keeping/kept-texts.ts";
import type { RetentionStore } from "./keeping/retention.ts";
import type { SnapshotStore } from "./keeping/snapshots.ts";
import type { TransferStore } from "./keeping/transfer.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { PictureRows } from "./observing/picture-rows.ts";
import type { TellingStore } from "./observing/tellings.ts";
import type { ProjectStore } from "./projects/project-store.ts";
import type { SkillStore } from "./skill-store.ts";
import type { TrialStore } from "./trial-store.ts";

/** What a step of a rebuild did. */
export interface RebuildStep {
  readonly memories: number;
  readonly documents: number;
  readonly embeddings_queued: number;
  readonly progress: MaintenanceProgress;
  /** Where to go on; null when all is done. */
  readonly next: RebuildPlace | null;
}
/** Where a rebuild goes on: which pass, and the last number of it that is done. */
export interface RebuildPlace {
  readonly pass: number;
  readonly after: number | null;
  readonly done: number;
  readonly total: number;
}

/** What one step of wording rows anew did. */
export interface RewordStep {
  /** Where to go on; null when all is done. */
  readonly next: RewordPlace | null;
  /** Rows that were left as they are. */
  readonly failed: readonly Unreworded[];
}

/** A row whose words could not be told, and why. */
export interface Unreworded extends Pick<RewordPlace, "table"> {
  readonly seq: number;
  readonly error: unknown;
}

/** What a check found. */
export interface Inspection {
  readonly checks: readonly IntegrityCheck[];
  /** Tables and indexes whose pages are damaged. */
  readonly damaged: readonly Damaged[];
}

/** What search reads of a document. */
export interface SearchableText {
  readonly summary: string;
  readonly text: string;
}

/** Reads of a document what search knows of it; null when search never reaches it. */
export type TextOf = (document: Pick<StoredDocument, "collection" | "doc_id" | "data">) => SearchableText | null;

/** Whether the data file is damaged, as far as is known. */
export interface DamageState {
  /** Some statement or check came upon damage. */
  readonly seen: boolean;
  /** Nothing is written while rows that cannot be rebuilt may be affected. */
  readonly in_doubt: boolean;
  /** What is damaged; empty while that is being looked at. */
  readonly damaged: readonly Damaged[];
}

/** What is derived from the rows, for search: it can be checked against them, and rebuilt from them. */
export interface IndexStore {
  /** Checks everything, or what one tenant has, beside or between the calls of others, telling how far it is. */
  inspect(tenant_id: string | null, tell: (progress: MaintenanceProgress) => void): Promise<Inspection>;
  /** Merges a little more of the keyword indexes, so that removed words leave them; `begin` starts again. False when done. */
  mergeWords(begin: boolean): Promise<boolean>;
  /** Rebuilds the indexes of a few rows, in one transaction; search goes on meanwhile. Null begins. */
  rebuild(from: RebuildPlace | null, textOf: TextOf): Promise<RebuildStep>;
  /**
   * Writes the words of a few rows anew, of those that this Cairn words otherwise than one before it; search goes on
   * meanwhile. Null begins.
   */
  reword(from: RewordPlace | null, textOf: TextOf): Promise<RewordStep>;
}

/** The index in memory that finds rows by their vectors. */
export interface SearchIndexState {
  /** Where it is `off`, or while it is being read, searches are answered more slowly without it. */
  readonly state: "loading" | "ready" | "off";
  readonly rows: number;
  readonly bytes: number;
  /** How long it took to read all rows; null until that is done. */
  readonly ready_ms: number | null;
  /** Why it is off. */
  readonly fault: string | null;
}

/** What the data takes of a disk, in bytes. */
export interface DiskUse {
  readonly data_bytes: number;
  /** Of the log of writes that are not in the data file yet. */
  readonly log_bytes: number;
  /** What the disk has left for this process. */
  readonly free_bytes: number;
}

/** What another thread of this process needs to read the same storage; only the engine knows what is in it. */
export interface ReaderTicket {
  readonly engine: string;
  readonly [more: string]: unknown;
}

/** A storage engine. Every method of its stores is a whole unit of work; no transaction crosses this port. */
export interface Storage {
  readonly engine: string;
  readonly ephemeral: boolean;
  readonly memories: MemoryStore;
  readonly keptTexts: KeptTextStore;
  readonly tellings: TellingStore;
  readonly pictures: PictureRows;
  readonly contradictions: ContradictionStore;
  readonly documents: DocumentStore;
  readonly entities: EntityStore;
  readonly skills: SkillStore;
  readonly settings: SettingsStore;
  readonly projects: ProjectStore;
  readonly jobs: JobStore;
  readonly keys: KeyStore;
  readonly agents: AgentStore;
  readonly replies: ReplyStore;
  readonly audit: AuditStore;
  readonly forge: ForgeStore;
  readonly trials: TrialStore;
  /** Proves that data can be read and written at this moment. Throws AppError UNAVAILABLE with the cause. */
  ping(): Promise<void>;
  /** What is known of damage to the data file. */
  damage(): DamageState;
  /** Proves that data can be read, and that it is still that of the folder. Throws AppError UNAVAILABLE with the cause. */
  pingReads(): Promise<void>;
  /** Calls at once when data can be written, and again whenever a folder that could not be written has become so. */
  whenWritable(listener: () => void): void;
  readonly indexes: IndexStore;
  readonly backups: BackupStore;
  readonly transfer: TransferStore;
  readonly retention: RetentionStore;
  readonly forgetting: ForgettingStore;
  /** Null where a folder keeps the data. */
  readonly snapshots: SnapshotStore<Storage> | null;
  /** The model that answers, and another beside it. */
  readonly generations: GenerationStore<Storage>;
  /** What the files of the data take; null where nothing is kept on a disk. Throws UNAVAILABLE where it cannot be looked at. */
  diskUse(): Promise<DiskUse | null>;
  /** The index in memory. */
  searchIndex(): SearchIndexState;
  /** For one of the threads that search, by its number; null where no other thread can read what this one writes. */
  readerTicket(thread: number): ReaderTicket | null;
  /** Moves what the log holds into the data file and cuts the log. Throws UNAVAILABLE when it is in use. */
  emptyLog(): Promise<void>;
  /** Calls back after a transaction that added jobs. */
  onJobAdded(listener: () => void): void;
  /** Gives back memory that only makes the next reads faster. */
  shrink(): Promise<void>;
  /** Finishes, checkpoints and closes. */
  close(): Promise<void>;
}
