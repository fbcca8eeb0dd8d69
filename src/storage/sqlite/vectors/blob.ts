/** A vector as sqlite-vec stores it: float32, little-endian, as on every platform Cairn is built for. */
export const vectorBlob = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** The vector in a blob written by `vectorBlob`, in place where it is aligned: for what is read and let go. */
export function vectorOver(blob: Uint8Array): Float32Array {
  const aligned = blob.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? blob : blob.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / Float32Array.BYTES_PER_ELEMENT);
}
