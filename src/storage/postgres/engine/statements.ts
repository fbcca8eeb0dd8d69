import type { SQL } from "drizzle-orm";
import type { Db, Work } from "./work.ts";

/** Statements that are written out, over whatever drizzle speaks to. */
export const statementsOf = (db: Db): Pick<Work, "db" | "rows" | "row" | "run"> => ({
  db,
  rows: async (query) => rowsOf(await db.execute(query)),
  row: async <T extends object>(query: SQL) => rowsOf<T>(await db.execute(query))[0] ?? null,
  run: async (query) => changedBy(await db.execute(query)),
});

/** What drivers give for a statement; each has a name of its own for how many rows it changed. */
interface Result<T> {
  readonly rows: T[];
  readonly rowCount?: number | null;
  readonly affectedRows?: number;
}

/** Safe: each of the drivers gives one of these, whose rows have the columns that the statement names. */
const resultOf = <T>(result: unknown): Result<T> => result as Result<T>;

function rowsOf<T>(result: unknown): T[] {
  return resultOf<T>(result).rows;
}

function changedBy(result: unknown): number {
  const { rowCount, affectedRows } = resultOf(result);
  return rowCount ?? affectedRows ?? 0;
}
