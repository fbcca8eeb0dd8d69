import { AppError } from "../core/kernel/errors.ts";
import type { JsonObject, JsonValue } from "../core/kernel/json.ts";
import { findJsonFault, isJsonObject } from "../core/kernel/json.ts";
import { preview } from "../core/kernel/text.ts";
import { ExportEnd } from "../core/schema/keeping/transfer.ts";
import type { FormatReader, ReadLine, ReadRecord, SourceFile } from "./reader.ts";
import { isRecord, RECORD_KINDS, requireKnownFormat } from "./records.ts";

/** Where exports lie among other files. */
const NAMED = /\.(?:jsonl|ndjson)$/i;

/** What Cairn itself exports: a JSON object a line, the first of which says what it is. */
export const jsonl: FormatReader = {
  name: "jsonl",
  title: "An export of Cairn, as JSON lines",
  isExport: true,
  async detects({ files }) {
    if (files.length === 1) return files[0] !== undefined && (await isExport(files[0]));
    // What lies deeper is some file of whoever wrote the notes.
    const named = files.filter(({ path }) => NAMED.test(path) && !path.includes("/"));
    for (const file of named) if (!(await isExport(file))) return false;
    return named.length > 0 && named.length === files.length;
  },
  async *read({ files }) {
    const named = files.length === 1 ? files : files.filter(({ path }) => NAMED.test(path));
    for (const file of named) yield* wholeExport(file);
  },
};

/** The records of an export. Throws AppError BAD_REQUEST where its end is missing. */
async function* wholeExport(file: SourceFile): AsyncGenerator<ReadLine> {
  const seen: { header: boolean; end: ExportEnd | null } = { header: false, end: null };
  let count = 0;
  const lines = readExport(file, (frame) => {
    if (frame === "header") seen.header = true;
    else seen.end = frame;
  });
  for await (const line of lines) {
    count++;
    yield line;
  }
  if (!seen.header) return;
  const anyway =
    "Export again; or take its first line out and name the format with --from jsonl, and what is there is imported.";
  if (seen.end === null)
    throw new AppError(
      "BAD_REQUEST",
      `${file.path} ends in the middle: its last line, which counts the records, is missing. ${anyway}`,
    );
  const told = Object.values(seen.end.counts).reduce((sum, one) => sum + one, 0);
  if (told !== count)
    throw new AppError(
      "BAD_REQUEST",
      `${file.path} holds ${count} records where its last line counts ${told}. ${anyway}`,
    );
}

/** Whether a file begins as an export does; one that cannot be read does not. */
export async function isExport(file: SourceFile): Promise<boolean> {
  try {
    const first = parsed((await firstLine(file)) ?? "");
    return isHeader(first);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The first line of a file; null for an empty one. Throws AppError BAD_REQUEST as `lines` does. */
export async function firstLine(file: SourceFile): Promise<string | null> {
  for await (const line of file.lines()) return line;
  return null;
}

/** The records of an export; a line that is none is told with its number. Throws AppError for one of a later format. */
export async function* readExport(
  file: SourceFile,
  notice: (frame: "header" | ExportEnd) => void = () => {},
): AsyncGenerator<ReadLine> {
  let line = 0;
  for await (const text of file.lines()) {
    line++;
    if (text.trim() === "") continue;
    const place = { file: file.path, line };
    const value = parsed(text);
    if (isHeader(value)) {
      requireKnownFormat(value.format, file.path);
      notice("header");
      continue;
    }
    const end = ExportEnd.safeParse(value);
    if (end.success) notice(end.data);
    else yield { place, ...recordOf(value) };
  }
}

/** What a line holds: a record, or why it is none. */
function recordOf(value: JsonValue | undefined): { record: ReadRecord } | { fault: string } {
  if (value === undefined || !isJsonObject(value) || !isRecord(value)) return { fault: faultOf(value) };
  const fault = findJsonFault(value, DEPTH_MAX);
  return fault === null
    ? { record: value }
    : { fault: `${preview(fault.path.join("."), PATH_LENGTH)}: ${fault.message}` };
}
/** As deep as a request may be. */
const DEPTH_MAX = 64;
const PATH_LENGTH = 100;

const isHeader = (value: JsonValue | undefined): value is JsonObject =>
  value !== undefined && isJsonObject(value) && value.record === "export";

/** The value of a line; undefined where it is no JSON. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const faultOf = (value: JsonValue | undefined): string =>
  value === undefined
    ? "It is no JSON: was the file cut off, or changed?"
    : `It is no record of an export: an object whose "record" is one of ${RECORD_KINDS.join(", ")}.`;
