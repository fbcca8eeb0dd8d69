import type { RankedHit } from "./rank.ts";

/** Hits without those whose text a newer one of them has, word for word; and for each left out, which one that is. */
export interface Deduplicated {
  readonly hits: readonly RankedHit[];
  readonly sameAs: ReadonlyMap<string, string>;
}

/** Leaves out hits whose text a newer hit has, word for word. */
export function deduplicate(found: readonly RankedHit[]): Deduplicated {
  const newest = new Map<string, RankedHit>();
  for (const one of found) {
    const { content } = one.hit.memory;
    const known = newest.get(content);
    if (!known || isNewer(one, known)) newest.set(content, one);
  }
  const hits = found.filter((one) => newest.get(one.hit.memory.content) === one);
  const left = hits.length === found.length ? [] : found.filter((one) => !hits.includes(one));
  const sameAs = left.map(
    ({ hit: { memory } }) => [memory.id, newest.get(memory.content)?.hit.memory.id ?? ""] as const,
  );
  return { hits, sameAs: new Map(sameAs) };
}

function isNewer({ hit: { memory: one } }: RankedHit, { hit: { memory: other } }: RankedHit): boolean {
  if (one.created_at !== other.created_at) return one.created_at > other.created_at;
  return one.id > other.id;
}
