import type { Readings } from "../../../text/words/slips.ts";
import { commonRows } from "../../common/word-weights.ts";
import type { Asked } from "../../search/readings.ts";
import { readingsOf } from "../../search/readings.ts";
import type { Connections } from "../engine/connection.ts";
import { drive } from "../units/drive.ts";
import { atOnce } from "../units/memory-index.ts";
import type { WordLookup } from "./word-rows.ts";
import { matching } from "./word-rows.ts";

/** What words of a question were meant as, told by the rows that `lookup` finds. */
export function readingsIn(
  db: Connections,
  asked: Asked,
  { lookup, total }: { readonly lookup: WordLookup; readonly total: number },
): Readings {
  const limit = commonRows(total) + 1;
  const rowsOf = (word: string) => lookup(word, limit).rows;
  // Most are in no row at all, whoever may see it: one look tells, instead of one for each set of readers.
  const known = db.readConnection.query<unknown, [string]>(
    "select 1 from memory_words where memory_words match ? limit 1",
  );
  const text = db.readConnection.query<{ text: string }, [number]>(
    "select coalesce(title || ' ', '') || content as text from memories where seq = ?",
  );
  const among = readingsOf(asked, (word) => rowsOf(word).length > 0, {
    count: (others) =>
      atOnce(() => {
        const held = others.filter((other) => known.get(matching(other)) !== null);
        return new Map(held.map((other) => [other, rowsOf(other).length]));
      }),
    texts: (word, most) => atOnce(() => [...rowsOf(word).subarray(0, most)].map((seq) => text.get(seq)?.text ?? "")),
  });
  return drive(db.readConnection, among);
}

/** Looks each word up as it was read. */
export const lookupAsRead =
  (lookup: WordLookup, readings: Readings): WordLookup =>
  (word, limit) =>
    lookup(readings.get(word) ?? word, limit);
