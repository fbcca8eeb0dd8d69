import { isRecord } from "../../../api/problem.ts";
import { faultOfFile, linesOf } from "./lines.ts";

/** The newest format of exports that this page reads. */
const FORMAT_MAX = 1;
const KINDS = [
  "settings",
  "projects",
  "agent",
  "entity",
  "relation",
  "keystone",
  "document",
  "skill",
  "memory",
  "finding",
] as const;

/** A record of an export, checked by the server. */
export type FileRecord = Readonly<Record<string, unknown>>;

/** Where something stands in the file, as `cairn import` has it too: a source is known by it. */
interface Place {
  readonly file: string;
  readonly line: number;
}

/** A record, or why what stands there is none. */
export type ReadLine =
  | { readonly place: Place; readonly record: FileRecord }
  | { readonly place: Place; readonly fault: string };

/** What an export says of itself. */
export interface Frame {
  readonly release: string | null;
  readonly exported_at: string | null;
  readonly tenant_id: string | null;
}

interface Told {
  bytes(read: number): void;
  frame?(frame: Frame): void;
}

/** The records of Cairn's own export, line after line. Throws CallProblem for a file that is none, or whose end is missing. */
export async function* readExport(file: File, told: Told): AsyncGenerator<ReadLine> {
  let [line, records] = [0, 0];
  let hasHeader = false;
  let end: Readonly<Record<string, unknown>> | null = null;
  for await (const text of linesOf(file, told.bytes)) {
    line += 1;
    if (text.trim() === "") continue;
    const value = parsed(text);
    if (isRecord(value) && value.record === "export") {
      requireKnownFormat(value.format, file.name);
      hasHeader = true;
      told.frame?.(frameOf(value));
      continue;
    }
    if (isRecord(value) && value.record === "end" && isRecord(value.counts)) {
      end = value.counts;
      continue;
    }
    const read = recordOf(value);
    if (records === 0 && !hasHeader && "fault" in read)
      throw faultOfFile(
        `${file.name} is no export of Cairn: line ${line} is no record of one. See other formats below.`,
      );
    records += 1;
    yield { place: { file: file.name, line }, ...read };
  }
  if (hasHeader) requireWhole(file.name, records, end);
}

const frameOf = ({ release, exported_at, tenant_id }: FileRecord): Frame => ({
  release: textOr(release),
  exported_at: textOr(exported_at),
  tenant_id: textOr(tenant_id),
});
const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The value of a line; undefined where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): { record: FileRecord } | { fault: string } {
  if (value === undefined) return { fault: "It is no JSON: was the file cut off, or changed?" };
  const isKnown = isRecord(value) && KINDS.some((kind) => kind === value.record);
  if (isKnown) return { record: value };
  return { fault: `It is no record of an export: an object whose "record" is one of ${KINDS.join(", ")}.` };
}

function requireKnownFormat(format: unknown, name: string): void {
  if (typeof format !== "number" || format <= FORMAT_MAX) return;
  throw faultOfFile(
    `${name} is an export of format ${format}; this page reads up to ${FORMAT_MAX}. Upgrade Cairn first.`,
  );
}

function requireWhole(name: string, records: number, end: Readonly<Record<string, unknown>> | null): void {
  const anyway = "Export again; or take its first line out, and what is there is imported.";
  if (end === null)
    throw faultOfFile(`${name} ends in the middle: its last line, which counts the records, is missing. ${anyway}`);
  const told = Object.values(end).reduce<number>((sum, one) => sum + (typeof one === "number" ? one : 0), 0);
  if (told !== records)
    throw faultOfFile(`${name} holds ${records} records where its last line counts ${told}. ${anyway}`);
}
