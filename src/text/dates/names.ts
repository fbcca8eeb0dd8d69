/** Names of months, in order. */
export const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
/** Names of weekdays, Monday first. */
export const WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");

const SHORT_LENGTH = 3;
const short = (names: readonly string[]): string[] => names.map((name) => name.slice(0, SHORT_LENGTH));

/** Short names of months, in order. */
export const SHORT_MONTHS = short(MONTHS);
/** Short names of weekdays, Monday first. */
export const SHORT_WEEKDAYS = short(WEEKDAYS);
/** All that months are called. */
export const MONTH_FORMS = [...new Set([...MONTHS, ...SHORT_MONTHS, "sept"])];
/** All that weekdays are called. */
export const WEEKDAY_FORMS = [...WEEKDAYS, ...SHORT_WEEKDAYS, "tues", "thur", "thurs"];
