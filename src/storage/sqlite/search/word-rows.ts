import { isOneLetter } from "../../../text/words/unspaced-scripts.ts";
import type { Connections } from "../engine/connection.ts";
import type { WhereText } from "./where.ts";

/** The keyword indexes, and the rows that each is of. */
const INDEXES = { memory_words: "memories", document_words: "documents" } as const;
export type WordTable = keyof typeof INDEXES;

/** Entries of an index from one to another, both among them. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}
/** All entries of an index. */
export const WHOLE_INDEX: RowRange = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

/** What a reader may see of an index: nothing else is looked up, weighed or counted. */
export interface ReadableRows {
  readonly ranges: readonly RowRange[];
  /** What must hold of the rows besides; slow where a word is in many. */
  readonly where?: WhereText | undefined;
  /** How many rows the reader may see. */
  readonly total: number;
}

/** The newest of the readable rows that hold a word, newest first. */
export interface WordRows {
  readonly rows: Uint32Array;
  has(seq: number): boolean;
}

/** Looks a word up: at most `limit` rows that hold it. */
export type WordLookup = (word: string, limit: number) => WordRows;

/** Looks words up in an index, among the rows that a reader may see; stemmed by FTS5. */
export function wordLookup(db: Connections, table: WordTable, { ranges, where }: ReadableRows): WordLookup {
  const owner = INDEXES[table];
  const seq = `${table}.rowid & 4294967295`;
  // One text for all rows: to hand over each would take longer than to find it.
  const statement = db.readConnection.query<{ rows: string }, (string | number)[]>(
    `select json_group_array(seq) as rows from (
      select ${seq} as seq from ${table} ${where ? `cross join ${owner} on ${owner}.seq = ${seq}` : ""}
      where ${table} match ? and ${table}.rowid between ? and ? ${where ? `and ${where.sql}` : ""}
      order by ${table}.rowid desc limit ?)`,
  );
  return (word, limit) => {
    const found = ranges.map(({ from, to }) =>
      numbersIn(statement.get(matching(word), from, to, ...(where?.params ?? []), limit)?.rows ?? "[]"),
    );
    return rowsOf(newestFirst(joined(found)).subarray(0, limit));
  };
}

const [COMMA, ZERO, NINE] = [44, 48, 57] as const;

/** The whole numbers of a JSON array; a parser would make an object of each list, which for a common word is a large one. */
function numbersIn(json: string): Uint32Array {
  let count = json.length > "[]".length ? 1 : 0;
  for (let i = 0; i < json.length; i++) if (json.charCodeAt(i) === COMMA) count++;
  const numbers = new Uint32Array(count);
  let place = 0;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === COMMA) place++;
    else if (code >= ZERO && code <= NINE) numbers[place] = (numbers[place] ?? 0) * 10 + (code - ZERO);
  }
  return numbers;
}

function joined(lists: readonly Uint32Array[]): Uint32Array {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

/**
 * As an FTS5 string: whatever the word holds, it is looked up and never read as an operator. One letter of a script without
 * spaces is the beginning of a piece.
 */
export const matching = (word: string): string => `"${word.replaceAll('"', '""')}"${isOneLetter(word) ? " *" : ""}`;

/** The rows of each set of readers stand in order; those of several are to be put in order. */
export function newestFirst(rows: Uint32Array): Uint32Array {
  for (let i = 1; i < rows.length; i++) {
    if ((rows[i] ?? 0) > (rows[i - 1] ?? 0)) return rows.sort().reverse();
  }
  return rows;
}

/** A bit for each row from the oldest to the newest, so that it is told at once whether one is among them. */
export function rowsOf(rows: Uint32Array): WordRows {
  const newest = rows[0] ?? 0;
  const oldest = rows.at(-1) ?? 0;
  const bits = new Uint8Array(rows.length === 0 ? 0 : ((newest - oldest) >> 3) + 1);
  for (const seq of rows) bits[(seq - oldest) >> 3] = (bits[(seq - oldest) >> 3] ?? 0) | (1 << ((seq - oldest) & 7));
  return {
    rows,
    has: (seq) =>
      seq >= oldest && seq <= newest && ((bits[(seq - oldest) >> 3] ?? 0) & (1 << ((seq - oldest) & 7))) !== 0,
  };
}
