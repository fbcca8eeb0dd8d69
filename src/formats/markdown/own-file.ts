import type { JsonObject } from "../../core/kernel/json.ts";
import { noteIds } from "../note-ids.ts";
import type { ReadLine, SourceFile } from "../reader.ts";
import type { ReadMemory } from "../records.ts";
import { requireKnownFormat } from "../records.ts";
import { readNoteFields } from "./fields.ts";
import type { Note } from "./notes.ts";
import { readFiled } from "./own-documents.ts";
import { memoryFromFields } from "./own-memory.ts";
import type { Section } from "./own-project.ts";
import { readSections, sectionFields } from "./own-project.ts";

/** A file of an export, taken apart. */
export interface OwnFile {
  readonly file: Pick<SourceFile, "path" | "changed_at">;
  readonly fields: JsonObject;
  readonly body: string;
  readonly bodyLine: number;
}

/** Whether front matter is that of an export. Throws AppError BAD_REQUEST for one of a later format. */
export function isOwn(fields: JsonObject, path: string): boolean {
  requireKnownFormat(fields.cairn, path);
  return typeof fields.cairn === "number";
}

/** Whether a file holds one memory. */
export const isMemoryFile = ({ fields }: OwnFile): boolean =>
  fields.layout !== "project" && (fields.record ?? "memory") === "memory";

/** Reads files of an export; what a person has added to them is read by `readNote`. */
export function ownReader(format: string, readNote: (note: Note) => Iterable<ReadLine>) {
  const idOf = noteIds(format);

  /** A memory as its file has it; without an id or a time it gets those of a note. */
  const memoryOf = ({ file }: OwnFile, fields: JsonObject, content: string): ReadMemory => ({
    created_at: file.changed_at,
    ...memoryFromFields(fields, content),
    ...(typeof fields.id === "string" ? {} : { id: idOf(file.path, content) }),
  });

  function* sections(own: OwnFile): Generator<ReadLine> {
    const { file, fields, body, bodyLine } = own;
    for (const section of readSections(body, bodyLine)) {
      const place = { file: file.path, line: section.line };
      if ("fault" in section) yield { place, fault: section.fault };
      else if (section.fields === null) yield* readNote(addedSection(own, section));
      else {
        const told = { fleet_id: fields.fleet_id ?? null, ...sectionFields(section) };
        yield { place, record: memoryOf(own, told, section.content) };
      }
    }
  }

  return function* read(own: OwnFile): Generator<ReadLine> {
    const { file, fields, body, bodyLine } = own;
    const place = { file: file.path, line: 1 };
    if (fields.layout === "project") yield* sections(own);
    else if (isMemoryFile(own)) yield { place, record: memoryOf(own, { fleet_id: null, ...fields }, body.trim()) };
    else {
      const record = readFiled(fields, body);
      if (!("fault" in record)) yield { place, record };
      else yield { place: { ...place, line: record.inBody ? bodyLine : 1 }, fault: record.fault };
    }
  };
}

/** A section without fields is a note of the project. */
const addedSection = ({ file, fields }: OwnFile, { title, content, line }: Section): Note => ({
  path: file.path,
  changed_at: file.changed_at,
  fields: readNoteFields({ title }),
  body: content === "" ? title : content,
  line,
  whole: true,
  fleet_id: typeof fields.fleet_id === "string" ? fields.fleet_id : null,
});
