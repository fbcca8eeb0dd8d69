import type { ExportHeader } from "../../core/schema/keeping/transfer.ts";
import { EXPORT_FORMAT } from "../../core/schema/keeping/transfer.ts";
import type { ReadRecord } from "../reader.ts";
import type { ReadMemory } from "../records.ts";
import { nameFor, pathNamer } from "./file-names.ts";
import { withFrontMatter } from "./front-matter.ts";
import type { FiledRecord } from "./own-documents.ts";
import { writeFiled } from "./own-documents.ts";
import { memoryFields } from "./own-memory.ts";
import { writeSection } from "./own-project.ts";

/** What a file of an export holds: one memory, or all of a project. */
export const MARKDOWN_LAYOUTS = ["memory", "project"] as const;
export type MarkdownLayout = (typeof MARKDOWN_LAYOUTS)[number];

/** A file to be written below the folder of an export. */
export interface WrittenFile {
  /** With "/" between its parts. */
  readonly path: string;
  readonly text: string;
}

/** Beside the files that a person reads: what only Cairn does, as lines of JSON. */
export const SIDE_FILE = "cairn.jsonl";
const MEMORIES = "memories";
/** Where memories of no project are, in one file each project. */
const NO_PROJECT = "without-project";

/**
 * Writes an export as a folder of Markdown, which `markdown` reads back as the same records. One file a memory is written as
 * the records come; files of projects are held until all are there.
 */
export async function* writeMarkdown(
  records: AsyncIterable<ReadRecord | ExportHeader> | Iterable<ReadRecord | ExportHeader>,
  { layout }: { readonly layout: MarkdownLayout },
): AsyncGenerator<WrittenFile> {
  const pathFor = pathNamer();
  const side: string[] = [];
  const projects = new Map<string | null, string[]>();
  for await (const record of records) {
    if (record.record === "memory" && layout === "memory") yield memoryFile(record, pathFor);
    else if (record.record === "memory") gather(projects, record);
    else if (isFiled(record)) yield filedFile(record, pathFor);
    else side.push(`${JSON.stringify(record)}\n`);
  }
  for (const [fleet_id, sections] of projects) yield projectFile(fleet_id, sections);
  if (side.length > 0) yield { path: SIDE_FILE, text: side.join("") };
}

type PathFor = ReturnType<typeof pathNamer>;

function memoryFile(record: ReadMemory, pathFor: PathFor): WrittenFile {
  const folder = record.fleet_id == null ? MEMORIES : `${MEMORIES}/${nameFor(record.fleet_id)}`;
  return {
    path: pathFor(folder, record.title ?? record.content, record.id ?? record.content),
    text: withFrontMatter({ cairn: EXPORT_FORMAT, ...memoryFields(record) }, record.content),
  };
}

function gather(projects: Map<string | null, string[]>, record: ReadMemory): void {
  const fleet_id = record.fleet_id ?? null;
  const sections = projects.get(fleet_id) ?? [];
  sections.push(writeSection(record));
  projects.set(fleet_id, sections);
}

function projectFile(fleet_id: string | null, sections: readonly string[]): WrittenFile {
  const name = fleet_id === null ? NO_PROJECT : nameFor(fleet_id);
  const path = fleet_id === NO_PROJECT ? `${MEMORIES}/${NO_PROJECT}-project.md` : `${MEMORIES}/${name}.md`;
  return {
    path,
    text: withFrontMatter({ cairn: EXPORT_FORMAT, layout: "project", fleet_id }, sections.join("\n").trimEnd()),
  };
}

const FILED: ReadonlySet<string> = new Set([
  "document",
  "keystone",
  "skill",
  "entity",
] satisfies FiledRecord["record"][]);
const isFiled = (record: ReadRecord | ExportHeader): record is FiledRecord => FILED.has(record.record);

const FOLDERS = { document: "documents", keystone: "keystones", skill: "skills", entity: "entities" } as const;

function filedFile(record: FiledRecord, pathFor: PathFor): WrittenFile {
  const { fields, body } = writeFiled(record);
  const folder = FOLDERS[record.record];
  const path =
    record.record === "entity"
      ? pathFor(folder, record.canonical_name, record.id ?? record.canonical_name)
      : pathFor(
          record.record === "document" ? `${folder}/${nameFor(record.collection)}` : folder,
          record.doc_id,
          JSON.stringify([record.fleet_id ?? null, record.collection, record.doc_id]),
        );
  return { path, text: withFrontMatter(fields, body) };
}
