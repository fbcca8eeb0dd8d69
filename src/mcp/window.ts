import { Moment, UtcOffset } from "../core/schema/common.ts";

/** The arguments of a tool that say when something happened, and whose days are meant. */
export const WindowArguments = {
  happened_from: Moment.optional().describe("Happened then or later."),
  happened_to: Moment.optional().describe("Happened by then; a date is a whole day."),
  utc_offset_minutes: UtcOffset.optional().describe("User's clock ahead of UTC."),
};
