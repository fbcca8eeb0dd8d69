import type { Readings } from "../../../text/words/slips.ts";
import { hasForm, likeliestFirst, MEANT_ROWS_MAX, mayBeSlip, meantBy, SLIPS_MAX } from "../../../text/words/slips.ts";
import { commonRows } from "../../common/word-weights.ts";
import type { Connections } from "../engine/connection.ts";
import type { WordLookup } from "./word-rows.ts";
import { matching } from "./word-rows.ts";

/**
 * What the words of a question that no readable row holds may have been meant as, told by the rows that the reader may see
 * alone. Nothing is looked for where all words are held.
 */
export function readingsOf(
  db: Connections,
  words: readonly string[],
  { lookup, total }: { readonly lookup: WordLookup; readonly total: number },
): Readings {
  const limit = commonRows(total) + 1;
  const rowsOf = (word: string) => lookup(word, limit).rows;
  const absent = words.filter((word) => mayBeSlip(word) && rowsOf(word).length === 0).slice(0, SLIPS_MAX);
  // Most are in no row at all, whoever may see it: one look tells, instead of one for each set of readers.
  const known = db.readConnection.query<unknown, [string]>(
    "select 1 from memory_words where memory_words match ? limit 1",
  );
  const text = db.readConnection.query<{ text: string }, [number]>(
    "select coalesce(title || ' ', '') || content as text from memories where seq = ?",
  );
  const isHeld = (word: string): boolean =>
    [...rowsOf(word).subarray(0, MEANT_ROWS_MAX)].some((seq) => hasForm(text.get(seq)?.text ?? "", word));
  const read = absent.flatMap((word) => {
    const others = meantBy(word).filter((other) => !words.includes(other) && known.get(matching(other)) !== null);
    const counted = likeliestFirst(others.map((other) => ({ word: other, rows: rowsOf(other).length })));
    const meant = counted.find((other) => isHeld(other.word));
    return meant ? [[word, meant.word] as const] : [];
  });
  return new Map(read);
}

/** Looks each word up as it was read. */
export const lookupAsRead =
  (lookup: WordLookup, readings: Readings): WordLookup =>
  (word, limit) =>
    lookup(readings.get(word) ?? word, limit);
