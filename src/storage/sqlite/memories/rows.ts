/** Safe: the text was written from a value of the type that is asked for. */
export const parseJson = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

/** A vector as sqlite-vec stores it: float32, little-endian, as on every platform Cairn is built for. */
export const vectorBlob = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** The vector in a blob written by `vectorBlob`; copied, because a blob need not be aligned to four bytes. */
export const blobVector = (blob: Uint8Array): Float32Array => new Float32Array(blob.slice().buffer);
