import { toTimestamp } from "../../../core/kernel/clock.ts";
import { parseInstant } from "../../../core/schema/common.ts";
import { unreadDate } from "../../unread-date.ts";

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

/** A date as another tool wrote it. */
export type Written = string | number | null | undefined;

/** The first of several dates that can be read, and the remark that those before it cannot. */
export interface FirstDate {
  readonly at: string | null;
  readonly remarks: readonly string[];
}

/** Reads dates that stand for each other, the best first: null where none can be read. */
export function firstDate(name: string, written: Written | readonly Written[]): FirstDate {
  const given = (isSeveral(written) ? written : [written]).filter((one) => one != null && one !== "" && one !== 0);
  const read = given.map(timestampOf);
  const found = read.findIndex((at) => at !== null);
  const at = read[found] ?? null;
  return {
    at,
    remarks: given.slice(0, found < 0 ? given.length : found).map((one) => unreadDate(name, String(one), at)),
  };
}

const isSeveral = (written: Written | readonly Written[]): written is readonly Written[] => Array.isArray(written);
