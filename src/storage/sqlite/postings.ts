import { rarity } from "../../kernel/rarity.ts";
import type { WeighedWord } from "../../ports/hits.ts";
import type { Connections } from "./connection.ts";
import type { WhereText } from "./filters.ts";

/** A word in more than this share of the rows tells too little to be read beside a rarer one. */
const COMMON_SHARE = 0.1;
/** In a small store every word is common; below this many rows none is left out. */
const COMMON_ROWS_MIN = 200;
/** Least weight of a word, however common. */
const WEIGHT_MIN = 0.01;

/** The keyword indexes, the rows that each is of, and how it counts them. */
const INDEXES = {
  memory_words: { rows: "memories", count: "select coalesce(sum(memories_stored), 0) as n from tenant_usage" },
  document_words: { rows: "documents", count: "select count(*) as n from document_words_docsize" },
} as const;
export type WordTable = keyof typeof INDEXES;

/** Which rows count: a predicate over the rows of the index, and how many its tenant has. */
export interface OwnRows extends WhereText {
  readonly total: number;
}

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
 * Looks up each word (stemmed by FTS5) and weighs it by its rarity.
 * At most 30 words, the bits of one number; too common ones weigh nothing beside a rarer one. With `own`, other rows are
 * passed over before any count: slow where a word is in many of those.
 */
export function readPostings(at: Connections, table: WordTable, words: readonly string[], own?: OwnRows): Postings {
  const { rows: owner, count } = INDEXES[table];
  const joined = own ? `cross join ${owner} on ${owner}.seq = ${table}.rowid` : "";
  const lookup = at.reader.query<{ rowid: number }, (string | number)[]>(
    `select ${table}.rowid from ${table} ${joined}
    where ${table} match ? ${own ? `and ${own.sql}` : ""} order by ${table}.rowid desc limit ?`,
  );
  const total = own?.total ?? at.reader.query<{ n: number }, []>(count).get()?.n ?? 0;
  const common = Math.max(COMMON_ROWS_MIN, Math.ceil(total * COMMON_SHARE));
  const found = words.map((word) => {
    const rows = lookup.values(quoted(word), ...(own?.params ?? []), common + 1).map(([rowid]) => Number(rowid));
    return { word, rows };
  });
  const anyRare = found.some(({ rows }) => rows.length > 0 && rows.length <= common);
  const wordsOf = new Map<number, number>();
  const weighed = found.map(({ word, rows }, bit) => {
    const tooCommon = anyRare && rows.length > common;
    if (!tooCommon) for (const seq of rows) wordsOf.set(seq, (wordsOf.get(seq) ?? 0) | (1 << bit));
    return { word, weight: tooCommon || rows.length === 0 ? 0 : Math.max(WEIGHT_MIN, rarity(rows.length, total)) };
  });
  const absent = found.filter(({ rows }) => rows.length === 0).length;
  return { words: weighed, absent, wordsOf, total, isCut: found.some(({ rows }) => rows.length > common) };
}

/** As an FTS5 string: whatever the word holds, it is looked up and never read as an operator. */
const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`;

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
