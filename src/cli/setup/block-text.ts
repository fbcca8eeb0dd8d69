import { Unreadable } from "./error.ts";

const START = "<!-- cairn:start -->";
const END = "<!-- cairn:end -->";

/** Our block in a Markdown text, without its markers; null when there is none. Throws Unreadable for half of one. */
export function blockIn(text: string): string | null {
  const span = spanOf(text);
  return (
    span &&
    text
      .slice(span.start + START.length, span.end - END.length)
      .trim()
      .replaceAll("\r\n", "\n")
  );
}

/** The text with the block, in place of the one there is, or at the end. Throws Unreadable. */
export function setBlock(text: string, block: string): string {
  const eol = /\r\n/.test(text) ? "\r\n" : "\n";
  const written = `${START}\n${block}\n${END}`.replaceAll("\n", eol);
  const span = spanOf(text);
  if (span) return text.slice(0, span.start) + written + text.slice(span.end);
  if (text === "") return `${written}${eol}`;
  return `${text}${text.endsWith("\n") ? "" : eol}${eol}${written}${eol}`;
}

/** The text without the block, and without the empty line before it. Throws Unreadable. */
export function removeBlock(text: string): string {
  const span = spanOf(text);
  if (!span) return text;
  const before = text.slice(0, span.start).replace(/(?<=\n)\r?\n$/, "");
  return before + text.slice(span.end).replace(/^\r?\n/, "");
}

function spanOf(text: string): { start: number; end: number } | null {
  const start = text.indexOf(START);
  const end = text.indexOf(END, Math.max(start, 0));
  if (start === -1 && end === -1) return null;
  if (start !== -1 && end !== -1) return { start, end: end + END.length };
  const line = text.slice(0, Math.max(start, end)).split("\n").length;
  throw new Unreadable(`there is ${start === -1 ? END : START} without its other half`, line, 1);
}
