import type { Connections } from "../engine/connection.ts";

/** The indexes that keep removed words until their parts are merged. */
const WORD_INDEXES = ["memory_words", "document_words"] as const;
/** Pages of an index merged in one transaction: some milliseconds. */
const PAGES_PER_STEP = 200;

/**
 * Merges a little more of each keyword index into one part, which is made of the rows that are there alone; `begin` starts
 * again. Returns whether there is more to merge.
 */
export function mergeWords(db: Connections, begin: boolean): boolean {
  const changes = db.writeConnection.query<{ n: number }, []>("select total_changes() as n");
  const merged = WORD_INDEXES.map((name) => {
    const before = changes.get()?.n ?? 0;
    const merge = db.writeConnection.query(`insert into ${name} (${name}, rank) values ('merge', ?)`);
    merge.run(begin ? -PAGES_PER_STEP : PAGES_PER_STEP);
    // The statement itself counts as one change.
    return (changes.get()?.n ?? 0) - before > 1;
  });
  return merged.includes(true);
}
