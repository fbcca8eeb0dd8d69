import type { CountedEntity, StoredRelation } from "../entity-store.ts";

/** How far to go from one entity, and how much to show. */
export interface Around {
  /** 1 or 2. */
  readonly hops: number;
  /** Entities shown, the one in the middle included. */
  readonly limit: number;
  /** Attributes are read while they fit into so many bytes, nearest entities first; null where they did not fit. */
  readonly bytes: number;
}

/** An entity with those it is related to, nearest and most closely related first. */
export interface EntityNeighbourhood {
  readonly nodes: readonly CountedEntity[];
  readonly edges: readonly StoredRelation[];
  /** Relations between each node and the one in the middle, by the node's id. */
  readonly hops: ReadonlyMap<string, number>;
}
