import { dot } from "../core/kernel/vectors.ts";

/** The direction of a vector from `center`, as a unit vector: what tells it apart from all others. Zero stays zero. */
export function directionOf(vector: Float32Array, center: Float32Array): Float32Array {
  return unit(vector.map((value, i) => value - (center[i] ?? 0)));
}

/** The vector at length one. */
function unit(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(dot(vector, vector));
  return norm === 0 ? vector : vector.map((value) => value / norm);
}

/** The direction of a weighted sum of unit vectors; null for none, or where they cancel out. */
export function blended(
  parts: readonly { readonly vector: Float32Array; readonly weight: number }[],
): Float32Array | null {
  const [first] = parts;
  if (!first) return null;
  const sum = new Float32Array(first.vector.length);
  for (const { vector, weight } of parts)
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (vector[i] ?? 0);
  return sum.every((value) => value === 0) ? null : unit(sum);
}
