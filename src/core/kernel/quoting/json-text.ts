import { marksOf } from "./marks.ts";
import { escaped, escapedForReading } from "./unseen.ts";

/**
 * One line of JSON in which no mark begins and nothing is unseen, and which loses nothing: what begins a mark is an escape, and so
 * is what nobody sees. No text begins a line there, as ends of lines are escapes too.
 */
export const quotedJsonText = (value: unknown): string =>
  escapedForReading(JSON.stringify(value).replace(TEXTS, withEscapes));

/** Texts of JSON, names of members among them: no other quotation marks stand in it. */
const TEXTS = /"(?:[^"\\]|\\.)*"/g;

function withEscapes(json: string): string {
  const text: unknown = JSON.parse(json);
  if (typeof text !== "string") return json;
  const marks = marksOf(text, { isLine: false });
  if (marks.length === 0) return json;
  let from = 0;
  const parts = marks.map(({ at, opener }) => {
    const before = inside(text.slice(from, at));
    from = at + opener.length;
    return before + escaped(opener);
  });
  return `"${parts.join("")}${inside(text.slice(from))}"`;
}

/** A text of JSON without its quotation marks. */
const inside = (text: string): string => JSON.stringify(text).slice(1, -1);
