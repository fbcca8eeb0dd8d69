import { agentFiles } from "./agent-files.ts";
import { detectedReader } from "./all.ts";
import { markdownExport } from "./markdown/own-export.ts";
import { isNotes, markdown } from "./markdown/reader.ts";
import type { FormatReader, Source, SourceFile } from "./reader.ts";

/** A file that a reader has passed over, and the format that it has by itself. */
export interface UnreadFile {
  readonly path: string;
  readonly format: string;
}

/** Files that are looked into, at most: each takes reading its beginning. */
const LOOKED_AT = 1_000;

/** Readers that pass over no notes: of one that holds nothing they tell nothing. */
const OF_NOTES: readonly FormatReader[] = [markdown, markdownExport, agentFiles];

/** Files that a reader of several has passed over, and another would read; `told` are those of which it told something. */
export async function unreadOf(
  { files }: Source,
  reader: FormatReader,
  told: ReadonlySet<string>,
): Promise<UnreadFile[]> {
  if (files.length === 1) return [];
  const isRead = (file: SourceFile) => told.has(file.path) || (isNotes(file) && OF_NOTES.includes(reader));
  const unread: UnreadFile[] = [];
  for (const file of files.filter((one) => !isRead(one)).slice(0, LOOKED_AT)) {
    // What is no text, or whose beginning nobody can read, is of no format.
    const own = await detectedReader({ name: file.path, files: [file] }).catch(() => null);
    if (own !== null && own !== reader) unread.push({ path: file.path, format: own.name });
  }
  return unread;
}
