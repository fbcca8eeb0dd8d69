import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FormatReader, ReadLine, ReadRecord, Source } from "../../../src/formats/reader.ts";
import { openSource } from "../../../src/formats/source.ts";
import { passingFolder } from "../../support/preloaded/passing-folders.ts";

/** When the files of tests were changed last. */
export const CHANGED_AT = "2026-05-01T10:00:00.000Z";

/** A folder of its own with these files. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = passingFolder();
  for (const [path, text] of Object.entries(files)) {
    const at = join(folder, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text);
    utimesSync(at, new Date(CHANGED_AT), new Date(CHANGED_AT));
  }
  return folder;
}

/** A folder with these files, opened. */
export const sourceOf = (files: Readonly<Record<string, string | Uint8Array>>): Promise<Source> =>
  openSource(folderWith(files));

export async function readAll(reader: FormatReader, source: Source): Promise<ReadLine[]> {
  const lines: ReadLine[] = [];
  for await (const line of reader.read(source)) lines.push(line);
  return lines;
}

export type Memory = Extract<ReadRecord, { record: "memory" }>;

export interface Read {
  readonly memories: readonly Memory[];
  /** "FILE:LINE fault" of each. */
  readonly faults: readonly string[];
  readonly lines: readonly ReadLine[];
}

/** What a reader makes of these files. */
export async function read(reader: FormatReader, files: Readonly<Record<string, string | Uint8Array>>): Promise<Read> {
  const lines = await readAll(reader, await sourceOf(files));
  return {
    lines,
    memories: lines.flatMap((line) => ("record" in line && line.record.record === "memory" ? [line.record] : [])),
    faults: lines.flatMap((line) => ("fault" in line ? [`${line.place.file}:${line.place.line} ${line.fault}`] : [])),
  };
}

export const contents = ({ memories }: Read): string[] => memories.map(({ content }) => content);
