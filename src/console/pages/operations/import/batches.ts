import type { FileRecord, ReadLine } from "./export-file.ts";

/** Records that one request may carry. */
const RECORDS_MAX = 200;
/** Bytes of one request, well below what a body may have. */
const BYTES_MAX = 1024 * 1024;
/** JSON values of one request; a server takes 100,000 unless it is told otherwise. */
const VALUES_MAX = 50_000;

/** Records that go out in one request, and the line of each. */
export interface Batch {
  readonly records: readonly FileRecord[];
  readonly lines: readonly number[];
  /** How many entries of the file are read with it, those that are no records included. */
  readonly position: number;
}

const encoder = new TextEncoder();

/** Gathers what a file holds into batches from an entry on; what is no record goes to `refuse`. */
export async function* batchesOf(
  entries: AsyncIterable<ReadLine>,
  from: number,
  refuse: (line: number, error: string) => void,
): AsyncGenerator<Batch> {
  let records: FileRecord[] = [];
  let lines: number[] = [];
  let [bytes, values, position] = [0, 0, 0];
  for await (const entry of entries) {
    position += 1;
    if (position <= from) continue;
    if ("fault" in entry) {
      refuse(entry.place.line, entry.fault);
      continue;
    }
    const size = encoder.encode(JSON.stringify(entry.record)).length;
    const held = countValues(entry.record);
    const isFull = records.length === RECORDS_MAX || bytes + size > BYTES_MAX || values + held > VALUES_MAX;
    if (isFull && records.length > 0) {
      yield { records, lines, position: position - 1 };
      [records, lines, bytes, values] = [[], [], 0, 0];
    }
    records.push(entry.record);
    lines.push(entry.place.line);
    bytes += size;
    values += held;
  }
  if (position > from) yield { records, lines, position };
}

/** Objects, arrays and scalars of a value, itself included. */
function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, one: unknown) => sum + countValues(one), 1);
}
