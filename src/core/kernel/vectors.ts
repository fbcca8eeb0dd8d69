/** Scalar product; the cosine of unit vectors. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Whether a vector is silent: zeros, made of a text that the model cannot read. */
export const isSilent = (vector: Float32Array): boolean => vector.every((value) => value === 0);

/** A vector that is not silent; null for one that is, and where there is none. */
export const unlessSilent = (vector: Float32Array | null | undefined): Float32Array | null =>
  vector && !isSilent(vector) ? vector : null;
