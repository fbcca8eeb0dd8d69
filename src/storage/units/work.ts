import type { JsonObject } from "../../core/kernel/json.ts";
import type { StoragePolicies } from "../../core/ports/storage-policies.ts";
import type { EmbedderSpace } from "../options.ts";
import type { SqlDialect } from "./dialect.ts";
import type { DocumentIndex } from "./document-index.ts";
import type { MemoryIndex } from "./memory-index.ts";
import type { Unit } from "./unit.ts";

/** What statements are written with. */
export interface Work {
  readonly dialect: SqlDialect;
}

/** A transaction that changes what one tenant has, after every other one that does so. */
export interface TenantWork extends Work {
  readonly tenant_id: string;
}

/** A transaction that may add jobs. */
export interface QueueWork extends Work {
  /** Once it is committed, whoever works on jobs looks for them. */
  tellJobs(): Unit<void>;
}

/** A transaction of no tenant in particular, with what follows from a change. */
export interface WideWork extends QueueWork {
  readonly policies: StoragePolicies;
  /** The space of the vectors that are written. */
  readonly space: EmbedderSpace;
}

/** The same, of one tenant. */
export interface ChangeWork extends TenantWork, WideWork {
  readonly index: MemoryIndex;
  /** The memories in the index of another space. */
  indexOf(space: EmbedderSpace): MemoryIndex;
  readonly documents: DocumentIndex;
}

export interface AuditEvent {
  readonly at: string;
  /** `<noun>.<verb>`, such as `memory.create`. */
  readonly action: string;
  readonly target_id: string;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly reason: string | null;
}

/** How an engine runs units of work. */
export interface Runner {
  readonly dialect: SqlDialect;
  /** Statements that each see what is stored when they begin. */
  look<T>(body: (work: Work) => Unit<T>): Promise<T>;
  /** Statements that all see the same moment, and change nothing. */
  snapshot<T>(body: (work: Work) => Unit<T>): Promise<T>;
  /** One transaction that holds the tenant's write lock: what it reads is as the one before it left it. */
  write<T>(tenant_id: string, body: (work: ChangeWork) => Unit<T>): Promise<T>;
  /** The same for each tenant that some rows are of. */
  writeEach<Row extends { readonly tenant_id: string }, T>(
    given: readonly Row[],
    body: (work: ChangeWork, own: readonly Row[]) => Unit<T>,
  ): Promise<T[]>;
  /** One transaction of no tenant in particular, without a lock. */
  change<T>(body: (work: WideWork) => Unit<T>): Promise<T>;
  /** The same for one statement that may run twice: where its answer is lost on the way it does. */
  repeatable<T>(body: (work: WideWork) => Unit<T>): Promise<T>;
}
