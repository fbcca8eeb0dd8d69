import type { Connections } from "../engine/connection.ts";
import type { SharedIndex } from "../vector-index/shared-memory.ts";
import { changedRows, headerOf, isReady, journalEnd } from "../vector-index/shared-memory.ts";
import type { ReadableRows, WordLookup, WordRows } from "./word-rows.ts";
import { matching, newestFirst, rowsOf, wordLookup } from "./word-rows.ts";

/** Bytes of rows that one thread remembers. */
const BYTES_MAX = 32 * 1024 * 1024;
/** How many more rows than asked for are looked up, so that the store may grow before a word is looked up again. */
const MARGIN = 1.25;
/** After more changed rows than these, a word is looked up anew. */
const CHANGES_MAX = 64;

/** Words of memories that were looked up, kept true by the journal of changed rows. */
export interface WordCache {
  /** The same as `wordLookup`, of memories. */
  lookup(db: Connections, readable: ReadableRows): WordLookup;
}

interface Remembered {
  readonly found: WordRows;
  /** How many rows were asked for. */
  readonly limit: number;
  /** Where the journal was before. */
  readonly at: number;
}

/** Remembers the rows of words that were looked up lately. */
export function createWordCache(shared: SharedIndex): WordCache {
  const header = headerOf(shared);
  const known = new Map<string, Remembered>();
  let bytes = 0;

  const remember = (key: string, entry: Remembered): WordRows => {
    forget(key);
    known.set(key, entry);
    bytes += sizeOf(entry);
    for (const oldest of known.keys()) {
      if (bytes <= BYTES_MAX) break;
      forget(oldest);
    }
    return entry.found;
  };
  const forget = (key: string): void => {
    const entry = known.get(key);
    if (!entry) return;
    known.delete(key);
    bytes -= sizeOf(entry);
  };
  /** What is remembered, as it is now; null where it is to be looked up. */
  const refreshed = (db: Connections, readable: ReadableRows, word: string, entry: Remembered): Remembered | null => {
    const at = journalEnd(header);
    if (at === entry.at) return entry;
    const changed = changedRows(shared, entry.at, at);
    if (changed === null || changed.length > CHANGES_MAX) return null;
    const holding = holdersAmong(db, readable, word, changed);
    const left = entry.found.rows.filter((seq) => !changed.includes(seq));
    if (left.length === entry.found.rows.length && holding.length === 0) return { ...entry, at };
    return { ...entry, found: rowsOf(newestFirst(Uint32Array.from([...holding, ...left]))), at };
  };
  return {
    lookup(db, readable) {
      const look = wordLookup(db, "memory_words", readable);
      // Who may see some rows by a condition is rare, and so is who asks before the rows are followed.
      if (readable.where || !isReady(header)) return look;
      const place = JSON.stringify(readable.ranges);
      return (word, limit) => {
        const key = `${place} ${word}`;
        const entry = known.get(key);
        const whole = entry && (entry.found.rows.length < entry.limit || entry.limit >= limit);
        const fresh = whole ? refreshed(db, readable, word, entry) : null;
        if (fresh) return cut(remember(key, fresh), limit);
        const at = journalEnd(header);
        const more = Math.ceil(limit * MARGIN);
        return cut(remember(key, { found: look(word, more), limit: more, at }), limit);
      };
    },
  };
}

const sizeOf = ({ found: { rows } }: Remembered): number =>
  rows.byteLength + ((rows[0] ?? 0) - (rows.at(-1) ?? 0)) / 8 + 200;

const cut = (found: WordRows, limit: number): WordRows =>
  found.rows.length <= limit ? found : { ...found, rows: found.rows.subarray(0, limit) };

/** Which of some rows hold a word and may be read, newest first. */
function holdersAmong(db: Connections, { ranges }: ReadableRows, word: string, seqs: readonly number[]): number[] {
  const place = db.readConnection.query<{ words_row: number }, [number]>(
    "select words_row from memories where seq = ? and deleted_at is null",
  );
  const holds = db.readConnection.query<unknown, [string, number]>(
    "select 1 from memory_words where memory_words match ? and rowid = ?",
  );
  return seqs
    .filter((seq) => {
      const row = place.get(seq)?.words_row;
      if (row === undefined || !ranges.some(({ from, to }) => row >= from && row <= to)) return false;
      return holds.get(matching(word), row) !== null;
    })
    .sort((a, b) => b - a);
}
