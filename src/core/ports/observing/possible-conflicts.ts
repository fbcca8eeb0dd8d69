import type { ReadScope } from "../memory-filter.ts";
import type { StoredMemory } from "../stored-memory.ts";

/** A newer row by which an older one may hold no longer, as that one shows it. */
export interface PossibleNewer extends Pick<StoredMemory, "id" | "created_at"> {
  readonly older_id: string;
  readonly rule: string;
  readonly certainty: number;
  /** The first 200 characters of the newer row. */
  readonly preview: string;
}

/** Two texts that somebody said to stand beside each other. */
export interface StandingTexts {
  readonly one: string;
  readonly other: string;
}

/** What may have changed, and what people said of it. */
export interface PossibleConflicts {
  /** The live rows by which each of these may hold no longer, the surest of those that the reader sees, three at most. */
  possible(tenant_id: string, ids: readonly string[], read_scope: ReadScope): Promise<PossibleNewer[]>;
  /**
   * The texts of two memories each of which somebody said that they stand beside each other, the last of them: of the same tenant
   * and fleet as a memory, and private ones only of its own author.
   */
  saidToStand(memory: Pick<StoredMemory, "tenant_id" | "fleet_id" | "agent_id">): Promise<StandingTexts[]>;
}
