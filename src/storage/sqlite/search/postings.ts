import type { WeighedWord } from "../../../core/ports/hits.ts";
import { inverseDocumentFrequency } from "../../../text/words/inverse-document-frequency.ts";
import { isOneLetter } from "../../../text/words/unspaced-scripts.ts";
import type { Connections } from "../engine/connection.ts";
import type { WhereText } from "../memories/filters.ts";

/** A word in more than this share of the rows tells too little to be read beside a rarer one. */
const COMMON_SHARE = 0.1;
/** In a small store every word is common; below this many rows none is left out. */
const COMMON_ROWS_MIN = 200;
/** Least weight of a word, however common. */
const WEIGHT_MIN = 0.01;

/** The keyword indexes, and the rows that each is of. */
const INDEXES = { memory_words: "memories", document_words: "documents" } as const;
export type WordTable = keyof typeof INDEXES;

/** Entries of an index from one to another, both among them. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** What a reader may see of an index: nothing else is looked up, weighed or counted. */
export interface ReadableRows {
  readonly ranges: readonly RowRange[];
  /** What must hold of the rows besides; slow where a word is in many. */
  readonly where?: WhereText | undefined;
  /** How many rows the reader may see. */
  readonly total: number;
}
/** All entries of an index. */
export const WHOLE_INDEX: RowRange = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

/** Which rows hold which words of a query. */
export interface Postings {
  readonly words: readonly WeighedWord[];
  /** How many words of the query no row holds. */
  readonly absent: number;
  /** Bits of the words that a row holds, by the row's number. */
  readonly wordsOf: ReadonlyMap<number, number>;
  /** Rows that words were weighed among. */
  readonly total: number;
  /** Whether a word is in more rows than were looked up. */
  readonly isCut: boolean;
}

/**
 * Looks up each word (stemmed by FTS5) and weighs it by its rarity among the rows that the reader may see.
 * At most 30 words, the bits of one number; too common ones weigh nothing beside a rarer one.
 */
export function readPostings(db: Connections, table: WordTable, words: readonly string[], own: ReadableRows): Postings {
  const { total } = own;
  const common = Math.max(COMMON_ROWS_MIN, Math.ceil(total * COMMON_SHARE));
  const lookup = rowLookup(db, table, own);
  const found = words.map((word) => ({ word, rows: lookup(word, common + 1) }));
  const anyRare = found.some(({ rows }) => rows.length > 0 && rows.length <= common);
  const wordsOf = new Map<number, number>();
  const weighed = found.map(({ word, rows }, bit) => {
    const tooCommon = anyRare && rows.length > common;
    if (!tooCommon) for (const seq of rows) wordsOf.set(seq, (wordsOf.get(seq) ?? 0) | (1 << bit));
    return {
      word,
      rows: rows.length,
      weight: tooCommon || rows.length === 0 ? 0 : Math.max(WEIGHT_MIN, inverseDocumentFrequency(rows.length, total)),
    };
  });
  const absent = found.filter(({ rows }) => rows.length === 0).length;
  return { words: weighed, absent, wordsOf, total, isCut: found.some(({ rows }) => rows.length > common) };
}

/** Finds the newest of the reader's rows that hold a word, newest first. */
function rowLookup(db: Connections, table: WordTable, { ranges, where }: ReadableRows) {
  const owner = INDEXES[table];
  const seq = `${table}.rowid & 4294967295`;
  const statement = db.readConnection.query<{ seq: number }, (string | number)[]>(
    `select ${seq} from ${table} ${where ? `cross join ${owner} on ${owner}.seq = ${seq}` : ""}
    where ${table} match ? and ${table}.rowid between ? and ? ${where ? `and ${where.sql}` : ""}
    order by ${table}.rowid desc limit ?`,
  );
  return (word: string, limit: number): number[] => {
    const found = ranges.flatMap(({ from, to }) =>
      statement.values(matching(word), from, to, ...(where?.params ?? []), limit).map(([row]) => Number(row)),
    );
    // Within one range they are in order already.
    return ranges.length === 1 ? found : found.sort((a, b) => b - a).slice(0, limit);
  };
}

/**
 * As an FTS5 string: whatever the word holds, it is looked up and never read as an operator. One letter of a script without
 * spaces is the beginning of a piece.
 */
const matching = (word: string): string => `"${word.replaceAll('"', '""')}"${isOneLetter(word) ? " *" : ""}`;

/** The rows with the heaviest words, heaviest first; newer rows first among equals. */
export function heaviestRows({ words, wordsOf }: Postings): number[] {
  const weights = new Map<number, number>();
  const weightOf = (bits: number): number => {
    const known = weights.get(bits) ?? words.reduce((sum, { weight }, i) => (bits & (1 << i) ? sum + weight : sum), 0);
    weights.set(bits, known);
    return known;
  };
  const rows = Array.from(wordsOf, ([seq, bits]) => ({ seq, weight: weightOf(bits) }));
  return rows.sort((a, b) => b.weight - a.weight || b.seq - a.seq).map(({ seq }) => seq);
}
