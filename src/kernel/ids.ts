import type { Clock } from "./clock.ts";

/** A new UUIDv7 (RFC 9562): sorts by time of creation, to the millisecond and then by a counter. */
export const newId = (clock: Clock): string => Bun.randomUUIDv7("hex", clock.now());
