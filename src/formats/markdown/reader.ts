import { AppError } from "../../core/kernel/errors.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import { readExport } from "../jsonl.ts";
import type { FormatReader, ReadLine, Source, SourceFile } from "../reader.ts";
import { readNoteFields } from "./fields.ts";
import type { Parted } from "./front-matter.ts";
import { partFrontMatter } from "./front-matter.ts";
import { gatheredRecords } from "./gathered.ts";
import type { Note } from "./notes.ts";
import { noteReader } from "./notes.ts";
import { isMemoryFile, isOwn, ownReader } from "./own-file.ts";
import { SIDE_FILE } from "./write.ts";

const FORMAT = "markdown";
const NOTES = /\.(?:md|markdown|mdown|mkd|mdx|mdc|txt)$/i;

/** Whether a file holds Markdown, or plain text, by its name. */
export const isNotes = ({ path }: SourceFile): boolean => NOTES.test(path);

/** Markdown: what Cairn exports, with what a person has changed in it; notes with front matter; plain notes. */
export const markdown: FormatReader = {
  name: FORMAT,
  title: "Markdown: an export of Cairn, or notes with or without front matter",
  detects: async ({ files }) => files.some(isNotes),
  read: readMarkdown,
};

async function* readMarkdown(source: Source): AsyncGenerator<ReadLine> {
  const records = gatheredRecords();
  const readNote = noteReader({ format: FORMAT });
  const readOwn = ownReader(FORMAT, readNote);
  const notes: Note[] = [];
  /** The project of the memories that lie in a folder, one a file. */
  const projects = new Map<string, string | null>();

  const readFile = (file: SourceFile, parted: Parted): Iterable<ReadLine> => {
    if ("fault" in parted) return [{ place: { file: file.path, line: parted.line }, fault: parted.fault }];
    const own = isOwn(parted.fields, file.path) ? { file, ...parted } : null;
    if (!own) notes.push(noteOf(file, parted));
    else if (isMemoryFile(own)) projects.set(folderOf(file.path), fleetOf(parted.fields));
    return own ? readOwn(own) : [];
  };

  for (const file of source.files) {
    if (baseName(file.path) === SIDE_FILE) for await (const line of readExport(file)) records.add(line);
    else if (isNotes(file) || source.files.length === 1) records.addAll(readFile(file, await partFile(file, source)));
  }
  for (const note of notes) records.addAll(readNote(besideOwn(note, projects)));
  yield* records.all();
}

/** A file that a person has put beside memories of an export is one memory of their project, as they are. */
const besideOwn = (note: Note, projects: ReadonlyMap<string, string | null>): Note => {
  const folder = folderOf(note.path);
  return projects.has(folder) ? { ...note, whole: true, fleet_id: projects.get(folder) } : note;
};

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
const fleetOf = ({ fleet_id }: JsonObject): string | null => (typeof fleet_id === "string" ? fleet_id : null);

/**
 * A file's front matter and body. Of several files one that is no UTF-8 is told and the others are read; alone it is refused
 * with an AppError.
 */
export async function partFile(file: SourceFile, { files }: Source): Promise<Parted> {
  try {
    const text = await file.text();
    // A program may have changed the ends of all lines; those within a text of ours are otherwise kept.
    return partFrontMatter(/^---[ \t]*\r\n/.test(text) ? text.replaceAll("\r\n", "\n") : text);
  } catch (error) {
    if (!(error instanceof AppError) || files.length === 1) throw error;
    return { fault: error.message, line: 1 };
  }
}

/** A file as a note. */
export const noteOf = (file: SourceFile, { fields, body, bodyLine }: Exclude<Parted, { fault: string }>): Note => ({
  path: file.path,
  changed_at: file.changed_at,
  fields: readNoteFields(fields),
  body,
  line: bodyLine,
});
