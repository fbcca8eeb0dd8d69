import { memoized } from "../core/kernel/memoize.ts";
import { MONTHS, WEEKDAYS } from "../text/dates/names.ts";
import { speakerLabel } from "../text/words/speaker-label.ts";

// The same rows are ranked again and again: what was read of a text is remembered.

/** How far into a row its traits are looked for, and how far before its end a question mark. */
const READ_WITHIN = 2_000;
const END_WITHIN = 320;
const DATES = [...WEEKDAYS, ...MONTHS.filter((name) => name !== "may")].join("|");
const TIME = new RegExp(
  `\\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|${DATES}|(?:19|20)\\d\\d|\\d+(?:st|nd|rd|th))\\b`,
  "i",
);
/** A trailing note in brackets does not hide the question mark before it. */
const ENDS_ASKING = /\?["')\]]*\s*(?:\[[^\]]{0,300}\]\s*)?$/;
const REASON =
  /\b(?:because|since|so that|reasons?|due to|otherwise|to avoid|in order to|caused?|therefore|hence|not worth|too|would|as (?:it|they|the|we)|so (?:the|we|it|they|that))\b/i;
/** A word with a capital that neither begins the row nor follows the end of a sentence. */
const NAMED = /(?<!^|[.!?:]\s)(?<=\s)\p{Lu}[\p{Ll}'’-]{2,}/u;
const FIGURE = /\p{N}/u;

/** Who says a row, lower-case, when it is written as a turn of a conversation ("Name: ..."); empty otherwise. */
export const speakerOf = memoized((content) => speakerLabel(content)?.name.toLowerCase() ?? "");

/** Whether a row ends with a question. */
export const asks = memoized((content) => ENDS_ASKING.test(content.slice(-END_WITHIN)));

/** Whether a row, without the name of who says it, speaks of a time. */
export const speaksOfTime = memoized((content) => {
  const from = speakerLabel(content)?.end ?? 0;
  return TIME.test(content.slice(from, from + READ_WITHIN));
});

/** Whether a row gives a reason. */
export const givesReason = memoized((content) => REASON.test(content.slice(0, READ_WITHIN)));

/** Whether a row names somebody or something by its name. */
export const namesSomebody = memoized((content) => NAMED.test(content.slice(0, READ_WITHIN)));

/** Whether a row holds a figure. */
export const hasFigure = memoized((content) => FIGURE.test(content.slice(0, READ_WITHIN)));
