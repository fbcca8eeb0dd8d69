import { dot } from "../../../core/kernel/vectors.ts";
import { cosineAround } from "../../common/closeness.ts";
import { tablesOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import { blobVector } from "../memories/rows.ts";

/** The vectors of a row by themselves, without the row before it. */
export interface OwnVectors {
  readonly seq: number;
  readonly values: Float32Array;
  /** Of the second embedder; null where there is none. */
  readonly secondary: Float32Array | null;
}

/** The vectors that this embedder made of some rows; rows without are left out. */
export function ownVectors(db: Connections, space: EmbedderSpace, seqs: readonly number[]): OwnVectors[] {
  const { memory_vectors: vectors } = tablesOf(space);
  return db.readConnection
    .query<{ seq: number; vector: Uint8Array; second: Uint8Array | null }, [string, string]>(
      `select seq, vector, second from json_each(?) wanted
      cross join ${vectors} on ${vectors}.seq = wanted.value and embedder_id = ?`,
    )
    .all(JSON.stringify(seqs), space.id)
    .map(({ seq, vector, second }) => ({ seq, values: blobVector(vector), secondary: second && blobVector(second) }));
}

/**
 * How near other rows are to one in meaning, -1 to 1: the cosine of their vectors around the model's mean, averaged over
 * both embedders where both have read the two.
 */
export function closenessTo(space: EmbedderSpace, own: OwnVectors): (other: OwnVectors) => number {
  const first = cosineTo(own.values, space.center);
  const second = own.secondary && space.secondary_center && cosineTo(own.secondary, space.secondary_center);
  return ({ values, secondary }) => (second && secondary ? (first(values) + second(secondary)) / 2 : first(values));
}

/** The same for the vectors of one embedder. */
function cosineTo(own: Float32Array, middle: Float32Array): (other: Float32Array) => number {
  const [one, center] = [dot(own, middle), dot(middle, middle)];
  return (other) => cosineAround({ both: dot(own, other), one, other: dot(other, middle), center });
}
