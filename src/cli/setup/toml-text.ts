import { parse, stringify, TomlError } from "smol-toml";
import { Unreadable } from "./error.ts";

type Table = Record<string, unknown>;
const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** What a TOML text says. Throws Unreadable with the place of the fault. */
export function readToml(text: string): Table {
  try {
    return parse(text, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new Unreadable(what, error.line, error.column);
  }
}

/** The value at a path of tables; undefined when there is none. */
export const tableAt = (root: Table, path: readonly string[]): unknown =>
  path.reduce<unknown>((table, name) => (isTable(table) ? table[name] : undefined), root);

/** The text with the table at the path, in place of the one there is, or at the end. Throws Unreadable. */
export function setTable(text: string, path: readonly string[], table: Table): string {
  const eol = /\r\n/.test(text) ? "\r\n" : "\n";
  const lines = stringify(path.reduceRight<Table>((inner, name) => ({ [name]: inner }), table)).trimEnd();
  const block = `${lines.replaceAll("\n", eol)}${eol}`;
  const old = spansOf(text, path);
  const [first] = old;
  const rest = withoutSpans(text, old);
  const ends = text === "" || text.endsWith("\n") ? text : `${text}${eol}`;
  const after = first
    ? `${rest.slice(0, first.start)}${block}${rest.slice(first.start)}`
    : `${ends}${ends === "" ? "" : eol}${block}`;
  verify(text, after, path, table);
  return after;
}

/** The text without the table at the path and those in it. None there: the text as it is. Throws Unreadable. */
export function removeTable(text: string, path: readonly string[]): string {
  if (tableAt(readToml(text), path) === undefined) return text;
  const spans = spansOf(text, path).map((span) => withBlankLine(text, span));
  const after = withoutSpans(text, spans);
  verify(text, after, path, undefined);
  return after;
}

/** Nothing but the one table may be another one afterwards. */
function verify(before: string, after: string, path: readonly string[], table: Table | undefined): void {
  const isRight = isSameBesides(path, before, after) && Bun.deepEquals(tableAt(readToml(after), path), table);
  const name = path.join(".");
  if (!isRight)
    throw new Unreadable(`${name} is not, or cannot be, a table of its own here: write it as [${name}] by hand`);
}

function isSameBesides(path: readonly string[], before: string, after: string): boolean {
  try {
    return Bun.deepEquals(lacking(readToml(after), path), lacking(readToml(before), path));
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

/** The tables without the one at the path, nor those that it alone was in. */
function lacking(root: Table, [name = "", ...rest]: readonly string[]): Table {
  const { [name]: inner, ...others } = root;
  if (rest.length === 0 || !isTable(inner)) return rest.length === 0 ? others : root;
  const left = lacking(inner, rest);
  return Object.keys(left).length === 0 ? others : { ...others, [name]: left };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Lines that look like the header of one table, or of those in it. */
const HEADERS_MAX = 100;

/** Where the table's header is, and those of the tables in it, each with its keys; a comment after the keys is not of it. */
function spansOf(text: string, path: readonly string[]): Span[] {
  if (tableAt(readToml(text), path) === undefined) return [];
  const name = path.map((word) => `(?:${word}|"${word}"|'${word}')`).join("[ \\t]*\\.[ \\t]*");
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*${name}[ \\t]*(?:\\.[^\\]\\n]*)?\\][^\\n]*(?:\\n|$)`, "gm");
  const headers = [...text.matchAll(header)];
  // Each is checked by reading the whole text without it.
  if (headers.length > HEADERS_MAX)
    throw new Unreadable(`more than ${HEADERS_MAX} lines look like [${path.join(".")}]`);
  const spans = headers.map((found) => {
    const body = found.index + found[0].length;
    const next = /^[ \t]*\[/m.exec(text.slice(body));
    const keys = text.slice(body, next ? body + next.index : undefined);
    const lines = keys.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    const last = lines.findLastIndex((line) => !/^\s*(?:#|$)/.test(line));
    const { length } = lines.slice(0, last + 1).join("");
    return { start: found.index, end: body + length };
  });
  // A line of a text of many lines may look like our header.
  return joined(
    text,
    spans.filter((span) => isSameBesides(path, text, withoutSpans(text, [span]))),
  );
}

/** Those that only space parts, as one. */
function joined(text: string, spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    const isNext = last && text.slice(last.end, span.start).trim() === "";
    if (isNext) all.splice(-1, 1, { start: last.start, end: span.end });
    else all.push(span);
  }
  return all;
}

const withoutSpans = (text: string, spans: readonly Span[]): string =>
  spans.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);

/** With the line that sets it off from what is before it, as it was written. */
function withBlankLine(text: string, { start, end }: Span): Span {
  const blank = /(?<=\n)\r?\n$/.exec(text.slice(0, start));
  const isSetOff = end === text.length || /^[ \t]*\r?\n/.test(text.slice(end));
  return { start: blank && isSetOff ? start - blank[0].length : start, end };
}
