import type { ReadLine } from "../../reader.ts";

interface Stream {
  readonly lines: AsyncIterator<ReadLine>;
  head: ReadLine;
}

/** Merges streams that are each in the order of time into one that is. Faults come as soon as they are met. */
export async function* byTime(streams: readonly AsyncIterable<ReadLine>[]): AsyncIterable<ReadLine> {
  const open: Stream[] = [];
  for (const stream of streams) {
    const lines = stream[Symbol.asyncIterator]();
    const first = await lines.next();
    if (!first.done) open.push({ lines, head: first.value });
  }
  while (open.length > 0) {
    const [earliest] = open.reduce<[Stream | undefined, string]>(
      ([found, at], one) => (found === undefined || timeOf(one.head) < at ? [one, timeOf(one.head)] : [found, at]),
      [undefined, ""],
    );
    if (earliest === undefined) return;
    yield earliest.head;
    const next = await earliest.lines.next();
    if (next.done) open.splice(open.indexOf(earliest), 1);
    else earliest.head = next.value;
  }
}

const timeOf = (line: ReadLine): string =>
  "record" in line && "created_at" in line.record ? (line.record.created_at ?? "") : "";
