import type { EntityMatches, MatchedEntity } from "../core/ports/entity-store.ts";
import type { ReadScope } from "../core/ports/memory-filter.ts";
import type { Storage } from "../core/ports/storage.ts";
import type { EntityType } from "../core/schema/entity.ts";
import { nameKey, nameWords, queryNames } from "../text/names/name-key.ts";
import { namedTerms } from "../text/words/terms.ts";

/** A query that names more entities than this names none in particular. */
export const MATCHED_MAX = 20;

/** The entities that a query names, as far as the reader sees them. */
export interface NamedEntities extends EntityMatches {
  /** The words of the query that each key in `asked` was made of. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** How many there are, also where they are too many to count. */
  readonly count: number;
  /** Too many: none of them is used. */
  readonly declined: boolean;
}

/** Looks up the names in a query. */
export async function namedEntities(
  storage: Pick<Storage, "entities">,
  read_scope: ReadScope,
  query: string,
): Promise<NamedEntities> {
  const names = queryNames(query);
  const found = await storage.entities.match(read_scope, [...names.keys()], MATCHED_MAX + 1);
  const count = found.matched.length;
  if (count > MATCHED_MAX) return { matched: [], related: [], total: found.total, names, count, declined: true };
  const isMeant = meaningOf(query);
  const matched = found.matched.filter(isMeant);
  const ids = new Set(matched.map(({ id }) => id));
  const related = found.related.filter(({ of }) => ids.has(of));
  return { ...found, matched, related, names, count, declined: false };
}

/** Things whose names are often words, too. */
const WORDY: ReadonlySet<EntityType> = new Set(["unknown", "concept", "artifact", "role", "project", "event"]);

/**
 * Whether a query means an entity by a single word: "requests" in a query that gives its names capitals is a word, though
 * there is a library of that name.
 */
function meaningOf(query: string): (entity: MatchedEntity) => boolean {
  const written = new Set([...namedTerms(query)].map(nameKey));
  if (written.size === 0) return () => true;
  const words = new Set(nameWords(query));
  return ({ entity_type, asked }) =>
    !WORDY.has(entity_type) || asked.some((key) => written.has(key) || !words.has(key));
}
