import type { JsonObject } from "../../core/kernel/json.ts";
import { preview } from "../../core/kernel/text.ts";
import type { ReadMemory } from "../records.ts";
import { parseFields, writeFields } from "./front-matter.ts";
import { memoryFields } from "./own-memory.ts";

/** A memory of a project's file: a heading, a comment with its fields, its text. */
export interface Section {
  readonly line: number;
  /** As the heading has it. */
  readonly title: string;
  /** Null where a person added it. */
  readonly fields: JsonObject | null;
  readonly content: string;
}

/** A section whose comment cannot be read. */
export interface BadSection {
  readonly line: number;
  readonly fault: string;
}

const HEADING = "## ";
const OPENING = "<!-- cairn";
const CLOSING = "-->";
/** Lines of a text that would be read as the file's own are told from these by one backslash more. */
const LIKE_OWN = /^\\*(?:## |<!-- cairn)/;

const escaped = (content: string): string =>
  content
    .split("\n")
    .map((line) => (LIKE_OWN.test(line) ? `\\${line}` : line))
    .join("\n");

const unescaped = (line: string): string => (line.startsWith("\\") && LIKE_OWN.test(line) ? line.slice(1) : line);

/** What a heading can say exactly. */
const isHeading = (title: string): boolean =>
  title !== "" && title === title.trim() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(title);

const SHOWN_MAX = 80;
/** What stands in a heading for a memory without a title that fits one: the beginning of its text. */
const shownTitle = ({ content }: ReadMemory): string => {
  const line = content.replace(/\s+/g, " ").trim();
  return line.length > SHOWN_MAX ? `${preview(line, SHOWN_MAX)}…` : line;
};

/** A memory as a section; its project is said once, at the top of the file. */
export function writeSection(record: ReadMemory): string {
  const title = record.title ?? "";
  const fits = isHeading(title);
  const fields = memoryFields(record, fits ? ["title", "fleet_id"] : ["fleet_id"]);
  const heading = fits ? title : shownTitle(record);
  return `${HEADING}${heading}\n\n${OPENING}\n${commented(fields)}${CLOSING}\n\n${escaped(record.content)}\n`;
}

/** Fields within a comment, which they must not end. */
function commented(fields: JsonObject): string {
  const yaml = writeFields(fields);
  if (!yaml.includes(CLOSING)) return yaml;
  const lines = Object.entries(fields).map(
    ([name, value]) => `${name}: ${JSON.stringify(value).replaceAll(">", "\\u003e")}\n`,
  );
  return lines.join("");
}

/** The sections of a file's body, which begins in line `first`; text before them is one without a title. */
export function readSections(body: string, first: number): (Section | BadSection)[] {
  const lines = body.split("\n");
  const starts = lines.flatMap((line, i) => (line.startsWith(HEADING) ? [i] : []));
  const preamble = lines.slice(0, starts[0] ?? lines.length).map((line) => (/^# /.test(line) ? "" : line));
  const sections = starts.map((start, i) => readSection(lines.slice(start, starts[i + 1]), first + start));
  const before = preamble.map(unescaped).join("\n").trim();
  return before === "" ? sections : [{ line: first, title: "", fields: null, content: before }, ...sections];
}

function readSection(lines: readonly string[], line: number): Section | BadSection {
  const title = (lines[0] ?? "").slice(HEADING.length).trim();
  const opening = lines.findIndex((text, i) => i > 0 && text.trim() !== "");
  const textFrom = (from: number) => lines.slice(from).map(unescaped).join("\n").trim();
  if (lines[opening]?.trimEnd() !== OPENING) return { line, title, fields: null, content: textFrom(1) };
  const closing = lines.findIndex((text, i) => i > opening && text.trimEnd() === CLOSING);
  if (closing < 0) return { line: line + opening, fault: `The comment with its fields has no end (${CLOSING}).` };
  const read = parseFields(lines.slice(opening + 1, closing).join("\n"));
  if ("fault" in read) return { line: line + opening + read.line, fault: read.fault };
  return { line, title, fields: read.fields, content: textFrom(closing + 1) };
}

/** The fields of a section, its heading among them where the comment has no other title. */
export const sectionFields = ({ title, fields }: Section): JsonObject =>
  fields && Object.hasOwn(fields, "title") ? fields : { ...fields, title };
