import { closeSync, readSync } from "node:fs";
import { isAbsolute } from "node:path";
import { openPlain } from "../../../core/kernel/files/plain-files.ts";

// The transcript of a session, as far as it shows what an agent wrote and did. It is data that anybody may have put words into:
// of its end a bounded part is read, nothing of it is run, and what is no entry as we know them is passed over.

/** One entry: what the agent itself wrote, or what it was given to read. */
export interface Said {
  readonly by: "agent" | "others";
  /** Where its line begins in the file. */
  readonly offset: number;
  /** Epoch milliseconds; null where it does not say. */
  readonly at: number | null;
  readonly texts: readonly string[];
}

/** Bytes of the end that are read. */
const END_BYTES = 256 * 1024;
const NEW_LINE = 10;
/** How deep, and how many, values of one entry are looked at. */
const DEPTH_MAX = 6;
const VALUES_MAX = 2_000;

/** Whether a harness names a transcript that can be read here: a file of JSON lines by its whole path. */
export const isTranscript = (path: string): boolean =>
  isAbsolute(path) && path.endsWith(".jsonl") && !path.includes("\0");

/** How long a transcript is; 0 where there is none. */
export function lengthOf(path: string): number {
  return reading(path, (_, size) => size) ?? 0;
}

/** What was said from an offset on, of the last 256 KB; null where there is no plain file, which a link is not. */
export function saidSince(path: string, offset: number): Said[] | null {
  return reading(path, (descriptor, size) => {
    // A file that became shorter is another one.
    const wanted = offset > size ? 0 : offset;
    const start = Math.max(0, wanted, size - END_BYTES);
    const bytes = Buffer.alloc(Math.min(END_BYTES, size - start) + 1);
    // With the byte before, which shows whether the first line is whole.
    const from = Math.max(0, start - 1);
    const length = readSync(descriptor, bytes, 0, bytes.length, from);
    return entriesIn(bytes.subarray(0, length), from);
  });
}

function reading<T>(path: string, read: (descriptor: number, size: number) => T): T | null {
  try {
    if (!isTranscript(path)) return null;
    const { descriptor, stats } = openPlain(path);
    try {
      return read(descriptor, stats.size);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

/** The entries of whole lines; `from` is where the bytes begin in the file. */
function entriesIn(bytes: Buffer, from: number): Said[] {
  const entries: Said[] = [];
  let start = from === 0 ? 0 : bytes.indexOf(NEW_LINE) + 1;
  if (from > 0 && start === 0) return [];
  while (start < bytes.length) {
    const end = bytes.indexOf(NEW_LINE, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end).toString("utf8");
    const said = saidIn(line);
    if (said !== null) entries.push({ ...said, offset: from + start });
    if (end < 0) break;
    start = end + 1;
  }
  return entries;
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields | null =>
  // Safe: an object has fields of some kind, by their names.
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;

function saidIn(line: string): Omit<Said, "offset"> | null {
  let entry: Fields | null = null;
  try {
    entry = fieldsOf(JSON.parse(line));
  } catch {
    return null;
  }
  if (entry === null) return null;
  const written = typeof entry.timestamp === "string" ? Date.parse(entry.timestamp) : Number.NaN;
  const at = Number.isFinite(written) ? written : null;
  const body = fieldsOf(entry.payload) ?? fieldsOf(entry.message) ?? entry;
  const by = byWhom(body);
  if (by === null) return null;
  const texts = by === "agent" ? doneIn(body) : givenIn(body);
  return texts.length === 0 ? null : { by, at, texts };
}

/** Calls of tools and what they gave, as some harnesses write them: entries of their own. */
const CALLS = ["function_call", "custom_tool_call", "local_shell_call"];
const ANSWERS = ["function_call_output", "custom_tool_call_output", "local_shell_call_output"];

function byWhom({ role, type }: Fields): Said["by"] | null {
  if (role === "assistant") return "agent";
  if (role === "user") return "others";
  if (typeof type !== "string") return null;
  if (CALLS.includes(type)) return "agent";
  return ANSWERS.includes(type) ? "others" : null;
}

/** What an agent wrote, and what it gave to tools; not what it thought. */
function doneIn({ content, arguments: given, input, action }: Fields): string[] {
  if (typeof content === "string") return [content];
  const parts = Array.isArray(content) ? content.map(fieldsOf) : [];
  const written = parts.map((part) => part?.text ?? part?.input);
  return textsIn([...written, typeof given === "string" ? parsed(given) : given, input, action]);
}

/** What an agent was given to read, but for what hooks told: that is what it may take up. */
const givenIn = ({ content, output }: Fields): string[] =>
  textsIn([content, output]).filter((text) => !text.includes("<cairn-memory"));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The texts within some values. */
function textsIn(values: readonly unknown[]): string[] {
  const texts: string[] = [];
  let level: readonly unknown[] = values;
  let left = VALUES_MAX;
  for (let depth = 0; depth <= DEPTH_MAX && level.length > 0 && left > 0; depth++) {
    const looked = level.slice(0, left);
    left -= looked.length;
    texts.push(...looked.filter((value) => typeof value === "string"));
    level = looked.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
  return texts;
}
