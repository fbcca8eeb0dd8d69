import type { Hit, WeighedWord } from "../core/ports/hits.ts";
import type { NamedEntities } from "../entities/match.ts";
import { nameKey } from "../text/names/name-key.ts";
import { inverseDocumentFrequency } from "../text/words/inverse-document-frequency.ts";

/** A name in more than this share of the rows tells none apart, once there are more than so many rows with it. */
const COMMON_SHARE = 0.1;
const COMMON_ROWS_MIN = 200;
/**
 * What a name counts again in a row that has its very words, which are counted already: words that stand together as one
 * name say more than the same words apart, one word says the same.
 */
const PHRASE_SHARE = 0.3;
const WORD_SHARE = 0.02;

interface NamedWorth {
  /** Key of the name. */
  readonly key: string;
  /** In nats. */
  readonly rarity: number;
  /** Words of the query that name it, as bits in the order of the weighed words. */
  readonly words: number;
}

/** What the entities of a query are worth to a row that is linked to them, by their ids. */
export interface EntityEvidence {
  readonly named: ReadonlyMap<string, NamedWorth>;
  /** Of an entity that a named one is related to: the rarity of the named one, by how close they are. */
  readonly related: ReadonlyMap<string, number>;
}

/** The evidence of a query that names nothing. */
export const NO_ENTITIES: EntityEvidence = { named: new Map(), related: new Map() };

/** Weighs the entities of a query by how rare they are among the rows. */
export function entityEvidence(
  { matched, related, total, names }: Pick<NamedEntities, "matched" | "related" | "total" | "names">,
  words: readonly WeighedWord[],
): EntityEvidence {
  const keys = matched.length === 0 ? [] : words.map(({ word }) => nameKey(word));
  const bitsOf = (asked: readonly string[]): number =>
    asked.flatMap((key) => names.get(key) ?? []).reduce((bits, word) => bits | bitsOfWord(keys, word), 0);
  const named = new Map(
    matched.map(({ id, key, asked, rows }) => [id, { key, rarity: worthOf(rows, total), words: bitsOf(asked) }]),
  );
  const near = new Map<string, number>();
  for (const { id, of, weight } of related) {
    const worth = weight * (named.get(of)?.rarity ?? 0);
    if (!named.has(id)) near.set(id, Math.max(near.get(id) ?? 0, worth));
  }
  return { named, related: near };
}

/** The words of the query, as bits, that are a word of a name, or its pieces where the two are cut differently: "O'Brien". */
function bitsOfWord(keys: readonly string[], word: string): number {
  const isSame = keys.includes(word) ? (key: string) => key === word : (key: string) => word.includes(key);
  return keys.reduce((bits, key, i) => (key !== "" && isSame(key) ? bits | (1 << i) : bits), 0);
}

/** What it tells that a row has a name, in nats; nothing for a name that many have. */
const worthOf = (rows: number, total: number): number =>
  rows > Math.max(COMMON_ROWS_MIN, total * COMMON_SHARE) ? 0 : Math.max(0, inverseDocumentFrequency(rows, total));

/**
 * Nats of what a row names of the query, and of what it names of things related to that. Who merely speaks is not named:
 * every turn of theirs would be.
 */
export function entityWeight(
  { memory, own_words }: Hit,
  speaker: string,
  { named, related }: EntityEvidence,
): { named: number; related: number } {
  const worth = { named: 0, related: 0 };
  if (named.size === 0) return worth;
  for (const { entity_id } of memory.entity_links) {
    const entity = named.get(entity_id);
    if (entity && entity.key !== nameKey(speaker)) worth.named += entity.rarity * shareOf(entity, own_words);
    worth.related = Math.max(worth.related, related.get(entity_id) ?? 0);
  }
  return worth;
}

function shareOf({ words }: NamedWorth, own_words: number): number {
  const hasWords = words !== 0 && (own_words & words) === words;
  if (!hasWords) return 1;
  const isOneWord = (words & (words - 1)) === 0;
  return isOneWord ? WORD_SHARE : PHRASE_SHARE;
}
