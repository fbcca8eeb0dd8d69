import type { IncomingRecord } from "../core/ports/keeping/transfer.ts";
import { isGoverning } from "../core/schema/keeping/transfer.ts";
import type { Fault } from "./incoming-memory.ts";

/** A record that is left out, as nobody said that its source is trusted. */
export interface LeftOut {
  readonly leftOut: true;
}

/** What becomes of a record of a source: what says what agents are told and may do comes on somebody's word alone. */
export const withTrust = (
  isTrusted: boolean,
  sent: unknown,
  read: (sent: unknown) => IncomingRecord | Fault,
): IncomingRecord | Fault | LeftOut => (!isTrusted && isGoverning(sent) ? { leftOut: true } : read(sent));
