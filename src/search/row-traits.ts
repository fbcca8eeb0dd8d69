import { speakerLabel } from "../text/words/speaker-label.ts";

/** How far into a row its traits are looked for, and how far before its end a question mark. */
const READ_WITHIN = 2_000;
const END_WITHIN = 320;
const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|(?:19|20)\d\d|\d+(?:st|nd|rd|th))\b/i;
/** A trailing note in brackets does not hide the question mark before it. */
const ENDS_ASKING = /\?["')\]]*\s*(?:\[[^\]]{0,300}\]\s*)?$/;
const REASON =
  /\b(?:because|since|so that|reasons?|due to|otherwise|to avoid|in order to|caused?|therefore|hence|not worth|too|would|as (?:it|they|the|we)|so (?:the|we|it|they|that))\b/i;
/** A word with a capital that neither begins the row nor follows the end of a sentence. */
const NAMED = /(?<!^|[.!?:]\s)(?<=\s)\p{Lu}[\p{Ll}'’-]{2,}/u;
const FIGURE = /\p{N}/u;

/** Who says a row, lower-case, when it is written as a turn of a conversation ("Name: ..."); empty otherwise. */
export const speakerOf = (content: string): string => speakerLabel(content)?.name.toLowerCase() ?? "";

/** Whether a row ends with a question. */
export const asks = (content: string): boolean => ENDS_ASKING.test(content.slice(-END_WITHIN));

/** Whether a row, without the name of who says it, speaks of a time. */
export function speaksOfTime(content: string): boolean {
  const from = speakerLabel(content)?.end ?? 0;
  return TIME.test(content.slice(from, from + READ_WITHIN));
}

/** Whether a row gives a reason. */
export const givesReason = (content: string): boolean => REASON.test(content.slice(0, READ_WITHIN));

/** Whether a row names somebody or something by its name. */
export const namesSomebody = (content: string): boolean => NAMED.test(content.slice(0, READ_WITHIN));

/** Whether a row holds a figure. */
export const hasFigure = (content: string): boolean => FIGURE.test(content.slice(0, READ_WITHIN));
