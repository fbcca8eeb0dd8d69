import { toTimestamp } from "../../../core/kernel/clock.ts";
import { parseInstant } from "../../../core/schema/common.ts";

/** The last millisecond of the year 9999. */
const LAST_MS = 253_402_300_799_999;
const SECOND_MS = 1_000;

/** A date as other tools write it, ISO 8601 or seconds since 1970, as a timestamp; null where it is none. */
export function timestampOf(written: unknown): string | null {
  if (typeof written === "string") return parseInstant(written);
  if (typeof written !== "number" || !(written > 0)) return null;
  const ms = Math.round(written * SECOND_MS);
  return ms <= LAST_MS ? toTimestamp(ms) : null;
}
