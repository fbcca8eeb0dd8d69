import { unlessSilent } from "../../core/kernel/vectors.ts";

/** Bytes before the numbers that Postgres sends: how many there are, and two that are not used. */
const HEADER_BYTES = 4;

/** The vector in a blob of float32; copied, because a blob need not be aligned to four bytes. */
export const blobVector = (blob: Uint8Array): Float32Array => new Float32Array(blob.slice().buffer);

/** The vector of which a statement read what is `sent` of it; null for none, and for a silent one. */
export const vectorIn = (sent: Uint8Array | string | null): Float32Array | null =>
  sent === null ? null : unlessSilent(filedVectorIn(sent));

/** The same as it was filed: zeros tell that a text was read and nothing was made of it. */
export function filedVectorIn(sent: Uint8Array | string): Float32Array {
  if (typeof sent !== "string") return blobVector(sent);
  // The network's order of bytes.
  const bytes = Buffer.from(sent, "base64").subarray(HEADER_BYTES).swap32();
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
