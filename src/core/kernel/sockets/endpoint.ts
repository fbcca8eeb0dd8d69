import { isIP } from "node:net";

/** One end of a TCP connection, or where one is taken. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const MAPPED_BYTES = 12;

/** An address in the order of the network: IPv4 within IPv6 is IPv4. */
export function bytesOf(address: string): Uint8Array {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, "");
  if (isIP(plain) === 4) return Uint8Array.from(plain.split(".").map(Number));
  const [head = "", tail] = plain.split("::");
  const words = (part: string | undefined) => (part ? part.split(":").map((word) => Number.parseInt(word, 16)) : []);
  const [before, after] = [words(head), words(tail)];
  const all = tail === undefined ? before : [...before, ...Array(8 - before.length - after.length).fill(0), ...after];
  const bytes = Uint8Array.from(all.flatMap((word) => [word >> 8, word & 255]));
  const isMapped = bytes.slice(0, MAPPED_BYTES).every((byte, i) => byte === (i < 10 ? 0 : 255));
  return isMapped ? bytes.slice(MAPPED_BYTES) : bytes;
}
