import type { JsonObject } from "../../core/kernel/json.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import type { StorageEvent, StoragePolicies } from "../../core/ports/storage-policies.ts";
import type { EmbedderSpace } from "../options.ts";
import type { SqlDialect } from "./dialect.ts";
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

/** The same, with what follows from a change. */
export interface ChangeWork extends TenantWork {
  readonly policies: StoragePolicies;
  /** The space of the vectors that are written. */
  readonly space: EmbedderSpace;
  readonly index: MemoryIndex;
  /** Leaves one audit row an event. */
  audit(actor: Actor, events: readonly AuditEvent[]): Unit<void>;
  /** Adds the jobs that follow from what happened to rows. */
  queueAfter(event: StorageEvent): Unit<void>;
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
  /** Statements that each see what is stored when they begin. */
  look<T>(body: (work: Work) => Unit<T>): Promise<T>;
  /** Statements that all see the same moment, and change nothing. */
  snapshot<T>(body: (work: Work) => Unit<T>): Promise<T>;
  /** One transaction that holds the tenant's write lock: what it reads is as the one before it left it. */
  write<T>(tenant_id: string, body: (work: ChangeWork) => Unit<T>): Promise<T>;
}
