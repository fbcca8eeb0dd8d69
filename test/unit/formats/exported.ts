import { expect } from "bun:test";
import type { ExportHeader } from "../../../src/core/schema/keeping/transfer.ts";
import { markdownExport } from "../../../src/formats/markdown/own-export.ts";
import type { MarkdownLayout } from "../../../src/formats/markdown/write.ts";
import { writeMarkdown } from "../../../src/formats/markdown/write.ts";
import type { ReadRecord, Source } from "../../../src/formats/reader.ts";
import type { Memory } from "./support.ts";
import { readAll } from "./support.ts";

const HEADER: ExportHeader = {
  record: "export",
  format: 1,
  release: "0.1.0",
  exported_at: "2026-05-01T10:00:00.000Z",
  tenant_id: "default",
  filter: {},
};

/** The files of an export, by path. */
export async function written(records: readonly ReadRecord[], layout: MarkdownLayout): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { path, text } of writeMarkdown([HEADER, ...records], { layout })) {
    expect(files.has(path)).toBe(false);
    files.set(path, text);
  }
  return files;
}

/** Files as a source has them, without a disk. */
export const held = (files: ReadonlyMap<string, string>): Source => ({
  name: "export",
  files: [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => ({
      path,
      changed_at: "2026-06-01T00:00:00.000Z",
      text: async () => text,
      async *lines() {
        yield* text.replace(/\n$/, "").split("\n");
      },
    })),
});

/** What a source is read as; nothing in it may be at fault. */
export async function readBack(files: ReadonlyMap<string, string>): Promise<ReadRecord[]> {
  const lines = await readAll(markdownExport, held(files));
  return lines.map((line) => {
    if (!("record" in line)) throw new Error(`${line.place.file}:${line.place.line} ${JSON.stringify(line)}`);
    return line.record;
  });
}

export const ID = "0197a000-0000-7000-8000-00000000000a";
export const OTHER = "0197a000-0000-7000-8000-00000000000b";
export const NOON = "2026-03-04T12:00:00.000Z";
export const memory = (fields: Partial<Memory>): Memory => ({
  record: "memory",
  id: ID,
  title: "Deploy day",
  content: "We deploy every Tuesday after the standup.",
  fleet_id: "payments",
  created_at: NOON,
  checked_at: NOON,
  ...fields,
});
/** Changes the one file whose path or text has this. */
export function edit(files: Map<string, string>, which: string, change: (text: string) => string): void {
  const [found] = [...files].filter(([path, text]) => path.includes(which) || text.includes(which));
  if (!found) throw new Error(`No file has ${which}.`);
  files.set(found[0], change(found[1]));
}
/** "FILE:LINE fault" of each. */
export const faultsIn = async (files: ReadonlyMap<string, string>): Promise<string[]> =>
  (await readAll(markdownExport, held(files))).flatMap((line) =>
    "fault" in line ? [`${line.place.file}:${line.place.line} ${line.fault}`] : [],
  );
