import type { JsonObject } from "../../core/kernel/json.ts";
import { isExport, readExport } from "../jsonl.ts";
import type { FormatReader, ReadLine, Source, SourceFile } from "../reader.ts";
import type { Parted } from "./front-matter.ts";
import { gatheredRecords } from "./gathered.ts";
import type { Note } from "./notes.ts";
import { noteReader } from "./notes.ts";
import { isMemoryFile, isOwn, ownReader } from "./own-file.ts";
import { isNotes, NOTES_FORMAT, noteOf, partFile } from "./reader.ts";
import { SIDE_FILE } from "./write.ts";

/** What Cairn exports as Markdown, with what a person has changed in it. It says so itself, at the root of what is named. */
export const markdownExport: FormatReader = {
  name: "cairn",
  title: "An export of Cairn, as a folder of Markdown",
  isExport: true,
  async detects({ files }) {
    const side = files.find(isSide);
    return side !== undefined && files.some(isNotes) && (await isExport(side));
  },
  read: readMarkdownExport,
};

/** One that lies deeper is some file of whoever wrote the notes. */
const isSide = ({ path }: SourceFile): boolean => path === SIDE_FILE;

async function* readMarkdownExport(source: Source): AsyncGenerator<ReadLine> {
  const records = gatheredRecords();
  const readNote = noteReader({ format: NOTES_FORMAT });
  const readOwn = ownReader(NOTES_FORMAT, readNote);
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
    if (isSide(file)) for await (const line of readExport(file)) records.add(line);
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

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
const fleetOf = ({ fleet_id }: JsonObject): string | null => (typeof fleet_id === "string" ? fleet_id : null);
