import { parseInstant } from "../../core/schema/common.ts";
import type { Place, ReadLine } from "../reader.ts";
import { RECORD_KINDS } from "../records.ts";

/** Records of a source whose files are in no order of time: given back by kind, and memories from the oldest on. */
export function gatheredRecords() {
  const faults: ReadLine[] = [];
  const byKind = new Map<string, ReadLine[]>(RECORD_KINDS.map((kind) => [kind, []]));
  const places = new Map<string, Place>();

  const add = (line: ReadLine): void => {
    const same = "record" in line ? placeOfSame(line, places) : null;
    if (!("record" in line)) faults.push(line);
    else if (same) faults.push({ place: line.place, fault: sameId(same) });
    else byKind.get(line.record.record)?.push(line);
  };

  return {
    add,
    addAll(lines: Iterable<ReadLine>): void {
      for (const line of lines) add(line);
    },
    *all(): Generator<ReadLine> {
      yield* faults;
      for (const [kind, lines] of byKind) yield* kind === "memory" ? byTime(lines) : lines;
    },
  };
}

type RecordLine = Extract<ReadLine, { readonly record: unknown }>;

/** Where a memory of the same id stands, if one does; a file that was copied has the id of the first. */
function placeOfSame({ record, place }: RecordLine, places: Map<string, Place>): Place | null {
  if (record.record !== "memory" || typeof record.id !== "string") return null;
  const before = places.get(record.id);
  if (!before) places.set(record.id, place);
  return before ?? null;
}

const sameId = ({ file, line }: Place): string =>
  `It has the id of ${file}, line ${line}: take its id out to have it as a memory of its own.`;

function byTime(lines: readonly ReadLine[]): ReadLine[] {
  const timed = lines.map((line) => ({ line, written: writtenAt(line) }));
  return timed.sort((a, b) => (a.written < b.written ? -1 : Number(a.written > b.written))).map(({ line }) => line);
}

const writtenAt = (line: ReadLine): string =>
  "record" in line && "created_at" in line.record && typeof line.record.created_at === "string"
    ? (parseInstant(line.record.created_at) ?? "")
    : "";
