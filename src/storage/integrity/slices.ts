import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Unit } from "../units/unit.ts";
import { row } from "../units/unit.ts";
import type { Work } from "../units/work.ts";

/** A table that is gone through by a whole number of its rows. */
export interface Walk {
  readonly table: string;
  /** The rowid, or the first column of an index: a range of it is looked up, never scanned for. */
  readonly key: string;
}

/** Rows whose key is above `from` and at most `to`. */
export interface Slice {
  readonly from: number;
  readonly to: number;
}

/** How a table is gone through: so many rows at a time, of one tenant or of all. */
export interface Pace {
  readonly size: number;
  readonly tenant: string | null;
}

/** The next slice of about so many rows, of those whose key is above a number; null when there are none. */
export function* nextSlice(
  { dialect }: Work,
  over: Walk,
  { size, tenant }: Pace,
  after: number | null,
): Unit<Slice | null> {
  const [table, key] = [sql.raw(over.table), sql.raw(over.key)];
  const own = tenant === null ? sql`true` : dialect.tenant(over.table, tenant);
  const from = after ?? before(yield* row<{ least: number | null }>(sql`select min(${key}) as least from ${table}`));
  if (from === null) return null;
  const found = yield* row<{ to: number | null }>(sql`select max(place) as "to" from (
    select ${key} as place from ${table} where ${key} > ${from} and ${own} order by ${key} limit ${size}) part`);
  return found?.to == null ? null : { from, to: found.to };
}

const before = (found: { readonly least: number | null } | null): number | null =>
  found?.least == null ? null : found.least - 1;

/** All slices of a table, in one pass over its keys. */
export function* slicesOf(work: Work, over: Walk, pace: Pace): Unit<Slice[]> {
  const slices: Slice[] = [];
  let next = yield* nextSlice(work, over, pace, null);
  for (; next; next = yield* nextSlice(work, over, pace, next.to)) slices.push(next);
  return slices;
}

/** Holds for rows, by whatever name their table has in a statement, that lie in a slice; for all without one. */
export const within = (column: string, slice: Slice | null): SQL =>
  slice === null ? sql`true` : sql`${sql.raw(column)} > ${slice.from} and ${sql.raw(column)} <= ${slice.to}`;
