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

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Whether two are the same, whichever family of addresses they are told in. */
export const isSameEnd = (one: Endpoint, other: Endpoint): boolean =>
  one.port === other.port && hexOf(bytesOf(one.address)) === hexOf(bytesOf(other.address));

/** Whether a socket there takes what comes to any address of this machine. */
export const isAnyAddress = ({ address }: Endpoint): boolean => bytesOf(address).every((byte) => byte === 0);
