/** The signs of a vector around `center`, one bit a dimension, lowest bit first. */
export function signCode(vector: Float32Array, center: Float32Array): Uint8Array {
  const code = new Uint8Array(Math.ceil(vector.length / 8));
  for (let i = 0; i < vector.length; i++) {
    if ((vector[i] ?? 0) > (center[i] ?? 0)) code[i >> 3] = (code[i >> 3] ?? 0) | (1 << (i & 7));
  }
  return code;
}
