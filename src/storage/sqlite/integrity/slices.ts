import type { Database } from "bun:sqlite";

/** A table that is gone through by a whole number of its rows. */
export interface Walk {
  readonly table: string;
  /** The rowid, or the first column of an index: a range of it is looked up, never scanned for. */
  readonly key: string;
}

/** Rows whose key is above `$from` and at most `$to`. */
export interface Slice {
  readonly $from: number;
  readonly $to: number;
}

/** The next slice of about so many rows, of those whose key is above a number; null when there are none. */
export function nextSlice(db: Database, walk: Walk, after: number | null, size: number): Slice | null {
  const { table, key } = walk;
  const found = (sql: string, ...values: number[]) =>
    db.query<{ key: number | null }, number[]>(sql).get(...values)?.key;
  const $from = after ?? before(found(`select min(${key}) as key from ${table}`));
  if ($from === null) return null;
  const $to =
    found(`select ${key} as key from ${table} where ${key} > ? order by ${key} limit 1 offset ?`, $from, size - 1) ??
    found(`select max(${key}) as key from ${table} where ${key} > ?`, $from);
  return $to == null ? null : { $from, $to };
}

const before = (least: number | null | undefined): number | null => (least == null ? null : least - 1);

/** All slices of a table, in one pass over its keys. */
export function slicesOf(db: Database, walk: Walk, size: number): Slice[] {
  const slices: Slice[] = [];
  for (let next = nextSlice(db, walk, null, size); next; next = nextSlice(db, walk, next.$to, size)) slices.push(next);
  return slices;
}

/** The condition that a row, by whatever name its table has in a statement, lies in the slice. */
export const within = (column: string): string => `${column} > $from and ${column} <= $to`;
