import type { PageEdge } from "../kernel/cursor.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { ForgeRun, ForgeTrigger } from "../schema/forge.ts";
import type { MemoryStatus } from "../schema/memory.ts";
import type { Actor } from "./memory-store.ts";

/** A memory as the Forge reads it: what a run of an agent said, in one row. */
export interface TraceRow {
  readonly id: string;
  readonly run_id: string;
  readonly agent_id: string;
  /** The fleet whose agents alone read it; null where the whole tenant does. */
  readonly fleet_id: string | null;
  /** The beginning of the text. */
  readonly content: string;
  readonly status: MemoryStatus;
  /** Text of the newest row of its own run, or of none, that contradicts or supersedes it; empty where only other runs do, null where nobody does. */
  readonly contradicted_by: string | null;
  readonly metadata: JsonObject | null;
  readonly created_at: string;
  /** Entities that the row names or that its author linked. */
  readonly entity_ids: readonly string[];
  /** The row's own vector by the asked embedder; null while it has none. */
  readonly vector: Float32Array | null;
}

/** One page of a walk through a tenant's window, newest row first. Private rows of an agent are never part of it. */
export interface TraceQuery {
  readonly tenant_id: string;
  readonly fleet_id: string | null;
  /** Oldest row of interest. */
  readonly since: string;
  /** Rows past their expiry at this moment are left out. */
  readonly unexpired_at: string;
  readonly embedder_id: string;
  /** Where the page before ended. */
  readonly before: PageEdge | null;
  /** Rows looked at, whether they belong to a run or not. */
  readonly scan: number;
  /** Characters of each text. */
  readonly content_max: number;
}

export interface TracePage {
  readonly rows: readonly TraceRow[];
  /** Where the next page begins; null after the last. */
  readonly next: PageEdge | null;
}

export interface ForgeRequest {
  readonly id: string;
  readonly tenant_id: string;
  readonly fleet_id: string | null;
  readonly trigger: ForgeTrigger;
  readonly actor: Actor;
  /** A run asked for less than this long ago makes another one needless. */
  readonly quiet_ms: number;
}

export type ForgeRequested =
  | { readonly outcome: "queued"; readonly audit_id: number }
  /** One was asked for not long ago, or waits, or runs; its audit row. */
  | { readonly outcome: "quiet"; readonly audit_id: number };

/** What a run found. */
export type ForgeReport = Pick<
  ForgeRun,
  "traces" | "successes" | "failures" | "unknown" | "clusters" | "written" | "skipped" | "error"
>;

export interface ForgeStore {
  traceRows(query: TraceQuery): Promise<TracePage>;
  /** Stores the request with its job and its audit row, unless the tenant's last one is too recent. */
  request(request: ForgeRequest): Promise<ForgeRequested>;
  /** The run, marked as started; null when there is none, or it has finished. */
  start(tenant_id: string, id: string): Promise<ForgeRun | null>;
  /** Keeps the report and forgets the tenant's oldest runs. */
  finish(tenant_id: string, id: string, report: ForgeReport): Promise<void>;
  /** Keeps why an attempt failed; the run stays open for the next one. */
  fail(tenant_id: string, id: string, error: string): Promise<void>;
  /** Newest first. */
  runs(tenant_id: string, limit: number): Promise<ForgeRun[]>;
  /** Tenants whose skill factory is enabled, sorted. */
  optedIn(): Promise<string[]>;
}
