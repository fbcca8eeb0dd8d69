import type { Clock } from "./clock.ts";
import { sha256 } from "./hash.ts";

/** A new UUIDv7 (RFC 9562): sorts by time of creation, to the millisecond and then by a counter. */
export const newId = (clock: Clock): string => Bun.randomUUIDv7("hex", clock.now());

/** The UUIDv8 of a name: the same wherever and whenever it is asked for. */
export function nameId(name: readonly string[]): string {
  const hex = sha256(JSON.stringify(name));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ];
  return parts.join("-");
}
