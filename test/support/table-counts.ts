import { Database } from "bun:sqlite";
import { join } from "node:path";

/** Rows of each table of a data folder, and of what the indexes hold of them; read beside a server. */
export function tableCounts(folder: string): Record<string, number> {
  const db = new Database(join(folder, "cairn.db"), { readonly: true });
  try {
    const tables = db
      .query<{ name: string }, []>(
        "select name from pragma_table_list where schema = 'main' and name not like 'sqlite%' and (type = 'table' or name like '%\\_docsize' escape '\\' or name like '%\\_rowids' escape '\\')",
      )
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        name,
        db.query<{ n: number }, []>(`select count(*) as n from "${name}"`).get()?.n ?? 0,
      ]),
    );
  } finally {
    db.close();
  }
}
