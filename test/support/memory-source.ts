import { expect } from "bun:test";
import type { z } from "zod";
import { AppError } from "../../src/core/kernel/errors.ts";
import { type MemoryRecord, TransferRecord } from "../../src/core/schema/keeping/transfer.ts";
import type { FormatReader, ReadLine, Source } from "../../src/formats/reader.ts";

/** When every file of such a source was changed last. */
export const CHANGED_AT = "2026-05-01T08:00:00.000Z";

/** A source whose files are texts in memory, by path. */
export const sourceOf = (files: Readonly<Record<string, string>>): Source => ({
  name: "source",
  files: Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => ({
      path,
      changed_at: CHANGED_AT,
      text: async () => text,
      async *lines() {
        yield* text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n");
      },
    })),
});

type Checked = z.output<typeof TransferRecord>;

export interface WhatWasRead {
  /** Each as the server takes it. */
  readonly records: readonly Checked[];
  readonly memories: readonly MemoryRecord[];
  /** `file:line: why`, as they came. */
  readonly faults: readonly string[];
}

/** All that a reader makes of a source; a record that the server would not take fails the test. */
export const readAll = (reader: FormatReader, source: Source): Promise<WhatWasRead> => checked(reader.read(source));

export async function checked(lines: AsyncIterable<ReadLine>): Promise<WhatWasRead> {
  const records: Checked[] = [];
  const faults: string[] = [];
  for await (const line of lines) {
    if ("fault" in line) faults.push(`${line.place.file}:${line.place.line}: ${line.fault}`);
    else if ("record" in line) records.push(TransferRecord.parse(line.record));
  }
  return { records, faults, memories: records.flatMap((record) => (record.record === "memory" ? [record] : [])) };
}

/** That a reader refuses a source as a whole: it is not in that format. */
export async function expectRefused(reader: FormatReader, source: Source): Promise<void> {
  const refusal = await readAll(reader, source).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({ code: "BAD_REQUEST" });
}
