import type { JsonObject } from "../kernel/json.ts";
import type { Visibility } from "../schema/access.ts";
import type { EntityLink, MemoryStatus, MemoryType } from "../schema/memory.ts";

/** A link from a row to an entity; an inferred one follows from the row's text and goes with it. */
export interface StoredLink extends EntityLink {
  readonly inferred?: true;
}

/** A memory as it lies in storage. Names are those of the wire; instants are UTC texts of `toTimestamp`. */
export interface StoredMemory {
  readonly id: string;
  readonly tenant_id: string;
  readonly fleet_id: string | null;
  readonly agent_id: string;
  readonly memory_type: MemoryType;
  readonly title: string | null;
  readonly content: string;
  readonly weight: number;
  readonly source_uri: string | null;
  readonly run_id: string | null;
  readonly metadata: JsonObject | null;
  readonly system_metadata: JsonObject | null;
  readonly entity_links: readonly StoredLink[];
  readonly content_hash: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly deleted_at: string | null;
  readonly subject_entity_id: string | null;
  readonly predicate: string | null;
  readonly object_value: string | null;
  readonly ts_valid_start: string | null;
  readonly ts_valid_end: string | null;
  readonly status: MemoryStatus;
  readonly visibility: Visibility;
  readonly recall_count: number;
  readonly last_recalled_at: string | null;
  readonly supersedes_id: string | null;
  /** Id of the embedder whose vector the row carries; null while it waits for one. */
  readonly embedded_by: string | null;
}

export type MemoryKey = Pick<StoredMemory, "tenant_id" | "id">;
