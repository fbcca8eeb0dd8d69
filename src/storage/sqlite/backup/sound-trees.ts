import type { Database } from "bun:sqlite";

/** How SQLite begins what it says of pages, and not of rows. */
const OF_PAGES = "*** in database";

/**
 * Whether each page of the tables and indexes has one place. A few that lead to the same page over and over make a table
 * without end, which no reader comes back from; this does, once it has read each page.
 */
export function areTreesSound(db: Database): boolean {
  // What virtual tables keep lies in plain ones.
  const tables = db
    .query<{ name: string }, []>(
      "select name from sqlite_schema where type = 'table' and sql not like 'create virtual %'",
    )
    .all();
  return ["sqlite_schema", ...tables.map(({ name }) => name)].every((table) => {
    // What it says of pages comes first; the rest is never asked for.
    const first = db.query<{ quick_check: string }, []>(`pragma quick_check('${table}')`).get();
    return first !== null && !first.quick_check.startsWith(OF_PAGES);
  });
}
