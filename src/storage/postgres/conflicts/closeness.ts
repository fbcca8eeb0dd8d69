import { sql } from "drizzle-orm";
import { dot } from "../../../core/kernel/vectors.ts";
import { cosineAround } from "../../common/closeness.ts";
import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import { vectorIn } from "../../units/vectors.ts";
import { intArray, sentVector, vectorOrNull } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";

/** The vectors of a row by themselves, without the row before it. */
export interface OwnVectors {
  readonly seq: number;
  readonly values: Float32Array;
  /** Of the second embedder; null where there is none. */
  readonly secondary: Float32Array | null;
}

/** Whose vectors are read, and of which embedder. */
export interface VectorsOf {
  readonly tenant_id: string;
  readonly space: EmbedderSpace;
}

/** The vectors that this embedder made of some rows; rows without are left out. */
export async function ownVectors(
  work: Work,
  { tenant_id, space }: VectorsOf,
  seqs: readonly number[],
): Promise<OwnVectors[]> {
  const rows = await work.rows<{ seq: number; vector: string; second: string | null }>(sql`
    select seq, ${sentVector(sql`vector`)} as vector, ${sentVector(sql`second`)} as second
    from ${sql.raw(tablesOf(space).memory_vectors)}
    where tenant_id = ${tenant_id} and seq = any(${intArray(seqs)}) and embedder_id = ${space.id} order by seq`);
  return rows.flatMap(({ seq, vector, second }) => {
    const values = vectorIn(vector);
    return values ? [{ seq, values, secondary: vectorIn(second) }] : [];
  });
}

/** Scalar products of a row's vectors with those of one, and with the means of the models. */
interface Compared {
  readonly seq: number;
  readonly first: number;
  readonly first_center: number;
  readonly second: number | null;
  readonly second_center: number | null;
}

/**
 * How near rows are to one in meaning, -1 to 1: the cosine of their vectors around the model's mean, averaged over both
 * embedders where both have read the two. Rows without a vector of this embedder are left out.
 */
export async function closenessOf(
  work: Work,
  { tenant_id, space }: VectorsOf,
  own: OwnVectors,
  seqs: readonly number[],
): Promise<Map<number, number>> {
  if (seqs.length === 0) return new Map();
  const { center, secondary_center } = space;
  const rows = await work.rows<Compared>(sql`
    with asked as materialized (select ${vectorOrNull(own.values)} as first, ${vectorOrNull(center)} as first_center,
      ${vectorOrNull(own.secondary)} as second, ${vectorOrNull(secondary_center)} as second_center)
    select v.seq, -(v.vector <#> a.first) as first, -(v.vector <#> a.first_center) as first_center,
      -(v.second <#> a.second) as second, -(v.second <#> a.second_center) as second_center
    from ${sql.raw(tablesOf(space).memory_vectors)} v cross join asked a
    where v.tenant_id = ${tenant_id} and v.seq = any(${intArray(seqs)}) and v.embedder_id = ${space.id}`);
  const byFirst = centred(own.values, center);
  const bySecond = own.secondary && secondary_center && centred(own.secondary, secondary_center);
  return new Map(
    rows.map(({ seq, first, first_center, second, second_center }) => {
      const near = byFirst(first, first_center);
      if (!bySecond || second === null || second_center === null) return [seq, near];
      return [seq, (near + bySecond(second, second_center)) / 2];
    }),
  );
}

/** The cosine of others to one around a centre, by their products with both. */
function centred(own: Float32Array, middle: Float32Array): (both: number, other: number) => number {
  const [one, center] = [dot(own, middle), dot(middle, middle)];
  return (both, other) => cosineAround({ both, one, other, center });
}
