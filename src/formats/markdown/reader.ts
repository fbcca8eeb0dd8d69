import { AppError } from "../../core/kernel/errors.ts";
import type { FormatReader, ReadLine, Source, SourceFile } from "../reader.ts";
import { readNoteFields } from "./fields.ts";
import type { Parted } from "./front-matter.ts";
import { partFrontMatter } from "./front-matter.ts";
import { gatheredRecords } from "./gathered.ts";
import type { Note } from "./notes.ts";
import { noteReader } from "./notes.ts";

/** Ids of what is read from notes are made with it. */
export const NOTES_FORMAT = "markdown";
const NOTES = /\.(?:md|markdown|mdown|mkd|mdx|mdc|txt)$/i;

/** Whether a file holds Markdown, or plain text, by its name. */
export const isNotes = ({ path }: SourceFile): boolean => NOTES.test(path);

/** Notes, with front matter or plain. Whatever they hold, they are texts that somebody wrote, and no export. */
export const markdown: FormatReader = {
  name: NOTES_FORMAT,
  title: "Markdown: notes with or without front matter",
  isExport: false,
  detects: async ({ files }) => files.some(isNotes),
  read: readMarkdown,
};

async function* readMarkdown(source: Source): AsyncGenerator<ReadLine> {
  const records = gatheredRecords();
  const readNote = noteReader({ format: NOTES_FORMAT });
  for (const file of source.files) {
    if (!isNotes(file) && source.files.length > 1) continue;
    const parted = await partFile(file, source);
    if ("fault" in parted) records.add({ place: { file: file.path, line: parted.line }, fault: parted.fault });
    else records.addAll(readNote(noteOf(file, parted)));
  }
  yield* records.all();
}

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
