/** Bytes before the numbers that Postgres sends: how many there are, and two that are not used. */
const HEADER_BYTES = 4;

/** The vector of which a statement read what is `sent` of it; null stays null. */
export function vectorIn(sent: Uint8Array | string | null): Float32Array | null {
  if (sent === null) return null;
  // Copied: a blob need not be aligned to four bytes.
  if (typeof sent !== "string") return new Float32Array(sent.slice().buffer);
  // The network's order of bytes.
  const bytes = Buffer.from(sent, "base64").subarray(HEADER_BYTES).swap32();
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
