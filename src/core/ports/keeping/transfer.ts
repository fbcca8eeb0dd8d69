import type { Job } from "../../schema/job.ts";
import type { ImportOutcomeName } from "../../schema/keeping/import.ts";
import type { RecordOf, TransferRecord } from "../../schema/keeping/transfer.ts";
import type { MemoryStatus } from "../../schema/memory.ts";
import type { SkillApproval } from "../../schema/skill.ts";
import type { ClaimKey } from "../contradiction-store.ts";
import type { Actor } from "../memory-store.ts";
import type { StoredMemory } from "../stored-memory.ts";

/** What is exported of a tenant. */
export interface ExportFilter {
  readonly tenant_id: string;
  /** Null for what belongs to none. */
  readonly fleet_id?: string | null | undefined;
  readonly agent_id?: string | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
}

/** A memory on its way in. */
export interface IncomingMemory {
  readonly kind: "memory";
  readonly memory: StoredMemory;
  /** Its id where its own names a memory of another project; null for one that its source puts into a project itself. */
  readonly beside_id: string | null;
  /** When the detector had compared it where it comes from; null has it compared here. */
  readonly checked_at: string | null;
  /** What it was before a finding demoted it. */
  readonly former_status: MemoryStatus | null;
  /** What it is found by, where it is not compared here. */
  readonly claim: ClaimKey | null;
}

interface KeyedName {
  readonly name: string;
  readonly key: string;
}

export interface IncomingEntity {
  readonly kind: "entity";
  readonly key: string;
  readonly entity: RecordOf<"entity">;
  /** The other names of each entry, by its place. */
  readonly aliases: readonly (readonly KeyedName[])[];
}

export interface IncomingRelation {
  readonly kind: "relation";
  /** With the ids that its ends have here. */
  readonly relation: RecordOf<"relation">;
}

export interface IncomingDocument {
  readonly kind: "document";
  readonly document: Omit<RecordOf<"document">, "record">;
  /** Of a skill, the word on which it is delivered. */
  readonly approval: SkillApproval | null;
  readonly searchable: { readonly summary: string; readonly text: string } | null;
}

export type IncomingRecord =
  | IncomingMemory
  | IncomingEntity
  | IncomingRelation
  | IncomingDocument
  | { readonly kind: "agent"; readonly agent: RecordOf<"agent"> }
  | { readonly kind: "finding"; readonly finding: RecordOf<"finding"> }
  | { readonly kind: "projects"; readonly projects: RecordOf<"projects">["projects"] }
  | { readonly kind: "settings"; readonly tree: RecordOf<"settings">["tree"] };

export interface ImportBatch {
  readonly tenant_id: string;
  readonly records: readonly IncomingRecord[];
  readonly actor: Actor;
  readonly memories_limit: number;
  readonly documents_limit: number;
  /** Whether an author who is not known here is at home in the fleet of what he wrote, as for a write. */
  readonly gives_homes: boolean;
  /** Whether a memory whose source names no project stays for all of them where it is so already. */
  readonly shared_stays: boolean;
  /** Stores nothing. */
  readonly dry_run: boolean;
  /** How far which source is read once the records are stored; null keeps no account of it. */
  readonly progress: { readonly source: string; readonly position: number } | null;
  /** Work to queue in the same transaction: for memories to be read, for those that were compared already, for documents. */
  jobsFor(memories: readonly IncomingMemory[], document_ids: readonly string[]): readonly Job[];
}

export interface ImportOutcome {
  readonly outcome: ImportOutcomeName;
  readonly id: string | null;
  readonly error: string | null;
  /** The fleet of the memory that is there already. */
  readonly fleet_id?: string | null;
  /** The same memory in another fleet, which had brought it before. */
  readonly beside?: Elsewhere;
}

/** A memory of another fleet. */
export interface Elsewhere {
  readonly id: string;
  readonly fleet_id: string | null;
}

/** Moves records out of and into storage as they are, dates and authors included. */
export interface TransferStore {
  /**
   * What is stored and not deleted, of one moment where it lies on a disk, in the order in which it can be taken in again: a part
   * at a time. Whoever stops early must return the iterator.
   */
  records(filter: ExportFilter): AsyncIterable<readonly TransferRecord[]>;
  /** Tenants of whom there is something that `records` gives, sorted. */
  tenants(): Promise<string[]>;
  /** Stores the records in one transaction, each as it is or not at all; what is there stays. */
  take(batch: ImportBatch): Promise<ImportOutcome[]>;
  /** Ends the exports that go on. */
  close(): void;
  /** How far a source was read; null when it never was. */
  progress(
    tenant_id: string,
    source: string,
  ): Promise<{ readonly position: number; readonly updated_at: string } | null>;
}
