import type { ReadLine, SourceFile } from "../../reader.ts";
import { memoryLines } from "./memory.ts";
import { plainLines } from "./paragraphs.ts";
import { headOf } from "./shape.ts";

/** `[2026-02-03] - text`, as assistants list what they remember when asked to, with or without a bullet or a number. */
const ENTRY = /^\s*(?:[-*•]\s+|\d+[.)]\s+)?\[([^[\]]*)\]\.?\s*(?:[-–—:]\s*)?(\S.*)$/u;
const DATE = /^\d{4}-\d\d(?:-\d\d)?/;
const NO_DATE = /^(?:n\/?a|none|unknown|undated|no date|date unknown|date not available|not available|unspecified)$/i;
const MONTH_LENGTH = "2026-02".length;

interface Entry {
  readonly at: string | null;
  readonly text: string;
}

function entryOf(line: string): Entry | null {
  const [, date = "", text] = ENTRY.exec(line) ?? [];
  if (text === undefined) return null;
  if (DATE.test(date)) return { at: date.length === MONTH_LENGTH ? `${date}-01` : date, text };
  return NO_DATE.test(date.trim()) ? { at: null, text } : null;
}

/** The list stands in a block of code, as it is asked for; its fences are no entries. */
const linesOf = (text: string): { readonly text: string; readonly line: number }[] =>
  plainLines(text.replace(/^[ \t]*(?:```|~~~).*$/gm, ""));

/** Whether a text is such a list: most of its lines that are no headings are entries. */
export function isMemoryList(text: string): boolean {
  const lines = linesOf(text).filter((line) => line.text.trim() !== "" && !/^\s*(?:#|\*\*)/.test(line.text));
  const entries = lines.filter((line) => entryOf(line.text) !== null);
  return entries.length > 0 && entries.length * 2 >= lines.length;
}

/** The texts of a source that are such lists. */
export async function memoryListsOf(files: readonly SourceFile[]): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of files) {
    if (files.length > 1 && !/\.(?:txt|md|markdown)$/i.test(file.path)) continue;
    if (isMemoryList(await headOf(file))) found.push(file);
  }
  return found;
}

/** The entries of such a list; a line that is none goes on with the one before, unless it is a heading. */
export async function memoryListLines(tool: string, file: SourceFile): Promise<ReadLine[]> {
  const entries: { line: number; at: string | null; text: string }[] = [];
  let isOpen = false;
  for (const { text, line } of linesOf(await file.text())) {
    const entry = entryOf(text);
    const last = entries.at(-1);
    if (entry) entries.push({ line, ...entry });
    else if (isOpen && last && /^\s*[^\s#*]/.test(text)) last.text += `\n${text.trim()}`;
    isOpen = entry !== null || (isOpen && text.trim() !== "");
  }
  return entries.flatMap(({ line, at, text }) =>
    memoryLines({ file: file.path, line }, { tool, id: ["memory", text], text, created_at: at }),
  );
}
