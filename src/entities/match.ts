import type { EntityMatches } from "../ports/entity-store.ts";
import type { Reach } from "../ports/memory-store.ts";
import type { Storage } from "../ports/storage.ts";
import { queryKeys } from "./key.ts";

/** A query that names more entities than this names none in particular. */
export const MATCHED_MAX = 20;

/** The entities that a query names, as far as the reader sees them. */
export interface NamedEntities extends EntityMatches {
  /** How many there are, also where they are too many to count. */
  readonly count: number;
  /** Too many: none of them is used. */
  readonly declined: boolean;
}

/** Looks up the names in a query. */
export async function namedEntities(storage: Storage, reach: Reach, query: string): Promise<NamedEntities> {
  const found = await storage.entities.match(reach, queryKeys(query), MATCHED_MAX + 1);
  const count = found.matched.length;
  if (count <= MATCHED_MAX) return { ...found, count, declined: false };
  return { matched: [], related: [], total: found.total, count, declined: true };
}
