import type { Database } from "bun:sqlite";
import { isDamage } from "../engine/faults.ts";

type Value = string | number | bigint | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

/** Rows read at once; where they cannot be, halves of them are tried, down to one. */
const WINDOW = 512;
/** How far rows are looked for where nothing can say how many there are. */
const UNKNOWN_END = 1_000_000;

/** A row that could not be read; its id where an index still has it. */
export interface LostRow {
  readonly number: number;
  readonly id: string | null;
}

/** Hands over every row of a table that can be read, and tells which cannot. */
export function readRows(db: Database, table: string, take: (rows: readonly Row[]) => void): LostRow[] {
  const ids = idsOf(db, table);
  const unread: number[] = [];
  const select = db.query<Row, [number, number]>(`select * from ${table} not indexed where rowid > ? and rowid <= ?`);
  const read = (from: number, to: number): void => {
    const rows = orDamaged(() => select.all(from, to));
    if (rows) take(rows);
    else if (to - from === 1) unread.push(to);
    else {
      const middle = Math.floor((from + to) / 2);
      read(from, middle);
      read(middle, to);
    }
  };
  const [first, last] = endsOf(db, table, [...ids.keys()]);
  for (let from = first - 1; from < last; from += WINDOW) read(from, Math.min(from + WINDOW, last));
  // Among numbers that cannot be read, an index tells those that ever were rows.
  const lost = ids.size === 0 ? unread : unread.filter((number) => ids.has(number));
  return lost.map((number) => ({ number, id: ids.get(number) ?? null }));
}

/** Hands over what can be read of a table without row numbers, from either end; says whether that was all. */
export function readFromEnds(db: Database, table: string, take: (row: Row) => void): boolean {
  const key = db
    .query<{ name: string }, []>(`select name from pragma_table_info('${table}') where pk > 0 order by pk`)
    .all()
    .map(({ name }) => name);
  const isReadTo = (direction: "asc" | "desc"): boolean => {
    const order = key.map((name) => `${name} ${direction}`).join(", ");
    const all = orDamaged(() => {
      for (const row of db.query<Row, []>(`select * from ${table} order by ${order}`).iterate()) take(row);
      return true;
    });
    return all ?? false;
  };
  if (isReadTo("asc")) return true;
  isReadTo("desc");
  return false;
}

/** Row numbers with their ids, from whichever index can be read; without an id, the number alone. */
function idsOf(db: Database, table: string): Map<number, string | null> {
  const indexes = db
    .query<{ name: string; partial: number }, []>(`select name, partial from pragma_index_list('${table}')`)
    .all()
    .filter(({ partial }) => partial === 0);
  const withId = new Set(
    indexes.filter(({ name }) =>
      db
        .query<{ name: string | null }, []>(`select name from pragma_index_info('${name}')`)
        .all()
        .some((column) => column.name === "id"),
    ),
  );
  const best = indexes.toSorted((a, b) => Number(withId.has(b)) - Number(withId.has(a)));
  for (const index of best) {
    const id = withId.has(index) ? "id" : "null";
    const found = orDamaged(() =>
      db
        .query<{ number: number; id: string | null }, []>(
          `select rowid as number, ${id} as id from ${table} indexed by ${index.name}`,
        )
        .all(),
    );
    if (found) return new Map(found.map((row) => [row.number, row.id]));
  }
  return new Map();
}

/** The least and the greatest number that a row may have. */
function endsOf(db: Database, table: string, known: readonly number[]): [number, number] {
  const end = (which: "min" | "max") =>
    orDamaged(
      () =>
        db.query<{ n: number | null }, []>(`select ${which}(rowid) as n from ${table} not indexed`).get() ?? {
          n: null,
        },
    );
  const [first, last] = [end("min"), end("max")];
  const least = known.reduce((a, b) => Math.min(a, b), first?.n ?? 1);
  const most = known.reduce((a, b) => Math.max(a, b), last?.n ?? 0);
  return [least, last || known.length > 0 ? most : UNKNOWN_END];
}

/** What a statement answers; null when it comes upon damage. */
function orDamaged<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}
