import type { ReadLine, ReadRecord } from "../../reader.ts";

/** What others refer to comes first. */
const KINDS: readonly ReadRecord["record"][] = ["agent", "entity", "relation", "keystone", "document", "skill"];

/** Faults first, then records by kind and by when they were written; those of the same moment, or of none, as they stood. */
export function inOrder(lines: readonly ReadLine[]): ReadLine[] {
  const ranked = lines.map((line) => ({ line, rank: rankOf(line), time: timeOf(line) }));
  return ranked.sort((a, b) => a.rank - b.rank || compare(a.time, b.time)).map(({ line }) => line);
}

function rankOf(line: ReadLine): number {
  if (!("record" in line)) return -1;
  const kind = KINDS.indexOf(line.record.record);
  return kind < 0 ? KINDS.length : kind;
}

/** Timestamps sort as text; what has none was written last, as far as anybody can tell. */
const UNKNOWN = "~";
const timeOf = (line: ReadLine): string =>
  "record" in line && "created_at" in line.record ? (line.record.created_at ?? UNKNOWN) : UNKNOWN;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
