import { speakerLabel } from "../kernel/speaker.ts";

/** How far into a row a time is looked for, and how far before its end a question mark. */
const TIME_WITHIN = 2_000;
const END_WITHIN = 320;
const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|(?:19|20)\d\d|\d+(?:st|nd|rd|th))\b/i;
/** A trailing note in brackets does not hide the question mark before it. */
const ENDS_ASKING = /\?["')\]]*\s*(?:\[[^\]]{0,300}\]\s*)?$/;

/** Who says a row, lower-case, when it is a turn of a conversation ("Name: ..."); empty otherwise. */
export const speakerOf = (content: string): string => speakerLabel(content)?.name.toLowerCase() ?? "";

/** Whether a row ends with a question. */
export const asks = (content: string): boolean => ENDS_ASKING.test(content.slice(-END_WITHIN));

/** Whether a row, without the name of who says it, speaks of a time. */
export function speaksOfTime(content: string): boolean {
  const from = speakerLabel(content)?.end ?? 0;
  return TIME.test(content.slice(from, from + TIME_WITHIN));
}
