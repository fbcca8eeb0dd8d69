import type { Visibility } from "../schema/access.ts";

/** Where a reader stands: decides which memories exist for it. */
export interface ReadScope {
  readonly tenant_id: string;
  /** Sees this agent's private memories; null sees none. */
  readonly agent_id: string | null;
  /** Fleets whose team memories are seen besides those without a fleet; `all` sees every fleet. */
  readonly fleets: readonly string[] | "all";
  /** Its own fleet, where it reads all of them. */
  readonly home?: string | null | undefined;
}

/** Two timestamps; an end that is absent is open. */
export interface TimeSpan {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

export interface MemoryFilter {
  readonly tenant_id: string;
  /** Limits the rows to what this reader may see; absent for counts that belong to the tenant as a whole. */
  readonly read_scope?: ReadScope | undefined;
  readonly written_by?: string | undefined;
  /** Rows of these fleets; with `orShared`, also rows without a fleet and organisation-wide rows. */
  readonly fleets?: { readonly ids: readonly string[]; readonly orShared: boolean } | undefined;
  /** Only rows of no fleet. */
  readonly no_fleet?: boolean | undefined;
  readonly memory_types?: readonly string[] | undefined;
  readonly exclude_memory_types?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
  readonly visibility?: Visibility | undefined;
  readonly run_id?: string | undefined;
  readonly weight_min?: number | undefined;
  readonly weight_max?: number | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  /** Rows that had not expired at this moment. */
  readonly unexpired_at?: string | undefined;
  /** Rows that had expired by this moment. */
  readonly expired_by?: string | undefined;
  /** Rows that held at this moment: begun, not ended, and not superseded by one that had begun. */
  readonly valid_at?: string | undefined;
  /** Beside it: rows that had not ended by this moment, which comes first; `valid_at` itself unless given. */
  readonly valid_since?: string | undefined;
  /** Rows of what happened within this time, ends included. */
  readonly happened?: TimeSpan | undefined;
  readonly include_deleted?: boolean | undefined;
  /** Only rows that were deleted within this time, ends included. */
  readonly deleted?: TimeSpan | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly exclude_ids?: readonly string[] | undefined;
  /** Members that the caller's metadata must have, compared as text. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}
