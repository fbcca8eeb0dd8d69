import { preview } from "../core/kernel/text.ts";
import type { ValidationIssue } from "../core/schema/problem.ts";

/** Characters of what a caller sent that a refusal shows again, be it a value, a name on the way to it, or in a message. */
const SHOWN_MAX = 200;
/** Faults that one refusal lists. */
const ISSUES_MAX = 100;

/** Faults as they are told: few, and of each no more of what was sent than helps to find it. */
export function truncateIssues(issues: readonly ValidationIssue[]): ValidationIssue[] {
  // Many faults may be about one large value.
  const known = new Map<unknown, unknown>();
  const inputOf = (input: unknown): unknown => {
    if (!known.has(input)) known.set(input, shownInput(input));
    return known.get(input);
  };
  const shown = issues.slice(0, ISSUES_MAX).map((issue) => ({
    ...issue,
    loc: issue.loc.map(truncateText),
    input: inputOf(issue.input),
  }));
  const more = issues.length - shown.length;
  const [first] = shown;
  if (!first || more === 0) return shown;
  return [
    ...shown,
    { type: "value_error", loc: first.loc.slice(0, 1), msg: `${more} more faults are not listed`, input: null },
  ];
}

/** The beginning of a text, and that it goes on. */
export const truncateText = (text: string): string =>
  text.length <= SHOWN_MAX ? text : `${preview(text, SHOWN_MAX - 3)}...`;

/** A value as it is while its JSON is short; else the beginning of its JSON. */
function shownInput(input: unknown): unknown {
  if (typeof input === "string") return truncateText(input);
  if (typeof input !== "object" || input === null) return input;
  const json = beginningOf(input, SHOWN_MAX + 1);
  return json.length <= SHOWN_MAX ? input : truncateText(json);
}

/** JSON of a value up to about so many characters; never reads what comes after them. */
function beginningOf(value: unknown, room: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, room));
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  let json = open ?? "";
  for (const name in value) {
    if (json.length > room) return json;
    const separator = json.length > 1 ? "," : "";
    const label = Array.isArray(value) ? "" : `${JSON.stringify(name.slice(0, room))}:`;
    json += separator + label + beginningOf(Reflect.get(value, name), room - json.length);
  }
  return json + close;
}
