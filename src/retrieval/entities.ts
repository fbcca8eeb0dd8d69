import { nameKey } from "../entities/key.ts";
import type { NamedEntities } from "../entities/match.ts";
import type { StoredMemory } from "../ports/memory-store.ts";

/** Rarity is measured as if there were at least this many rows, so that it means the same in a young store. */
const ROWS_MIN = 1_000;
/** A name in more than this share of the rows tells none apart, once there are more than so many rows with it. */
const COMMON_SHARE = 0.1;
const COMMON_ROWS_MIN = 200;

/** What the entities of a query are worth to a row that is linked to them. */
export interface EntityEvidence {
  /** By id: nats of rarity, and the key of the name. */
  readonly named: ReadonlyMap<string, { readonly rarity: number; readonly key: string }>;
  /** By id of an entity that a named one is related to: the rarity of the named one, by how close they are. */
  readonly related: ReadonlyMap<string, number>;
}

/** Evidence of a query that names nothing. */
export const NO_ENTITIES: EntityEvidence = { named: new Map(), related: new Map() };

/** Weighs the entities of a query by how rare they are among the rows. */
export function entityEvidence({ matched, related, total }: NamedEntities): EntityEvidence {
  const named = new Map(matched.map(({ id, key, rows }) => [id, { key, rarity: rarity(rows, total) }]));
  const near = new Map<string, number>();
  for (const { id, of, weight } of related) {
    if (named.has(id)) continue;
    const worth = weight * (named.get(of)?.rarity ?? 0);
    near.set(id, Math.max(near.get(id) ?? 0, worth));
  }
  return { named, related: near };
}

/** Inverse document frequency as of words: Robertson and Zaragoza 2009, formula 3.3. */
function rarity(rows: number, total: number): number {
  if (rows > Math.max(COMMON_ROWS_MIN, total * COMMON_SHARE)) return 0;
  const among = Math.max(total, ROWS_MIN);
  return Math.max(0, Math.log((among - rows + 0.5) / (rows + 0.5)));
}

/** Nats of what a row names of the query, and of what it names of things related to that. Who merely speaks is not named. */
export function entityWorth(
  { entity_links }: StoredMemory,
  speaker: string,
  { named, related }: EntityEvidence,
): { named: number; related: number } {
  const worth = { named: 0, related: 0 };
  if (named.size === 0) return worth;
  const speakerKey = speaker === "" ? "" : nameKey(speaker);
  for (const { entity_id } of entity_links) {
    const entity = named.get(entity_id);
    if (entity && entity.key !== speakerKey) worth.named += entity.rarity;
    worth.related = Math.max(worth.related, related.get(entity_id) ?? 0);
  }
  return worth;
}
