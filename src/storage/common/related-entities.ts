import type { StoredRelation } from "../../core/ports/entity-store.ts";

/** Rows that name both of two entities until they count as related, and how closely they then do. */
export const TOGETHER_MIN = 2;
const TOGETHER_TYPE = "related_to";
export const TOGETHER_WEIGHT = 0.5;

/** The relation of two entities that rows name together. */
export const together = (from_entity_id: string, to_entity_id: string): StoredRelation => ({
  id: null,
  from_entity_id,
  relation_type: TOGETHER_TYPE,
  to_entity_id,
  weight: TOGETHER_WEIGHT,
  evidence_memory_id: null,
});

/** Two entities, whichever comes first. */
export const pairOf = (a: string, b: string): string => [a, b].sort().join();

/** Relations that were entered, then those of pairs that rows name together and nobody entered; so many of them. */
export function withTogether(
  entered: readonly StoredRelation[],
  pairs: readonly { readonly x: string; readonly y: string }[],
  max: number,
): StoredRelation[] {
  const known = new Set(entered.map((one) => pairOf(one.from_entity_id, one.to_entity_id)));
  const inferred = pairs.filter(({ x, y }) => !known.has(pairOf(x, y))).map(({ x, y }) => together(x, y));
  return [...entered, ...inferred].slice(0, max);
}

/** An entity next to another one. */
export interface NextEntity {
  readonly seq: number;
  readonly name_key: string;
  readonly weight: number;
  /** Rows that name both, of those looked through. */
  readonly times: number;
}

/** Each entity once, most closely related first; of equally close ones those that more rows name together. */
export function strongest(next: readonly NextEntity[]): NextEntity[] {
  const bySeq = new Map<number, NextEntity>();
  for (const { seq, name_key, weight, times } of next) {
    const known = bySeq.get(seq);
    bySeq.set(seq, { seq, name_key, weight: Math.max(weight, known?.weight ?? 0), times: times + (known?.times ?? 0) });
  }
  return [...bySeq.values()].sort(
    (a, b) => b.weight - a.weight || b.times - a.times || (a.name_key < b.name_key ? -1 : 1),
  );
}
