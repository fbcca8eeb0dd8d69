import type { EmbedderSpace } from "../../options.ts";

/** What is compared by its code: the vector of the primary embedder, and that of the second where there is one. */
export interface Coded {
  readonly values: Float32Array;
  readonly secondary?: Float32Array | null | undefined;
}

/** The vectors of a row as they are stored. */
export interface StoredVectors {
  readonly own: Float32Array;
  readonly context: Float32Array | null;
  /** Of the secondary embedder. */
  readonly secondary: Float32Array | null;
}

/** The signs of both embedders' vectors, one after the other, as a text of bits; without a second one, that half is empty. */
export function codeOf(space: EmbedderSpace, { values, secondary }: Coded): string {
  const second =
    secondary && space.secondary_center ? signs(secondary, space.secondary_center) : "0".repeat(values.length);
  return signs(values, space.center) + second;
}

/** The signs of a vector around `center`, a bit a dimension. Throws where they are of two spaces. */
export function signs(vector: Float32Array, center: Float32Array): string {
  if (vector.length !== center.length)
    throw new Error(`A vector of ${vector.length} dimensions does not fit into a space of ${center.length}.`);
  let bits = "";
  for (let i = 0; i < vector.length; i++) bits += (vector[i] ?? 0) > (center[i] ?? 0) ? "1" : "0";
  return bits;
}

/** A row's code: the signs of its vectors. */
export const codeOfRow = (space: EmbedderSpace, vectors: StoredVectors): string =>
  codeOf(space, { values: blend(vectors), secondary: vectors.secondary });

/** The mean of a row's two vectors of the primary embedder: near to whatever either of them is near to. */
function blend({ own, context }: Pick<StoredVectors, "own" | "context">): Float32Array {
  return context ? own.map((value, i) => (value + (context[i] ?? 0)) / 2) : own;
}
