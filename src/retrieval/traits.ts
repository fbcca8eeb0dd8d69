import { speakerLabel } from "../kernel/speaker.ts";

/** What the form of a row tells about it. */
export interface Traits {
  /** Who says it, lower-case, when the row is a turn of a conversation ("Name: ..."); empty otherwise. */
  readonly speaker: string;
  /** Ends with a question. */
  readonly asks: boolean;
  /** Speaks of a time. */
  readonly timed: boolean;
  /** In characters. */
  readonly length: number;
}

/** How far into a row a time is looked for, and how far before its end a question mark. */
const TIME_WITHIN = 2_000;
const END_WITHIN = 320;
const TIME =
  /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|(?:19|20)\d\d|\d+(?:st|nd|rd|th))\b/i;
/** A trailing note in brackets does not hide the question mark before it. */
const ENDS_ASKING = /\?["')\]]*\s*(?:\[[^\]]{0,300}\]\s*)?$/;

/** Reads the form of a row. */
export function traitsOf(content: string): Traits {
  const label = speakerLabel(content);
  const body = label ? content.slice(label.end) : content;
  return {
    speaker: label?.name.toLowerCase() ?? "",
    asks: ENDS_ASKING.test(body.slice(-END_WITHIN)),
    // Looked for only where a query asks when.
    get timed() {
      return TIME.test(body.slice(0, TIME_WITHIN));
    },
    length: content.length,
  };
}
