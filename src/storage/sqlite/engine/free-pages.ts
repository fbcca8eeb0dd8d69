import type { Database } from "bun:sqlite";

/**
 * Said before the first table of a file, or before a `vacuum` of one: free pages can then be given back to the file system a
 * few at a time. A file that was made without it keeps its free pages for new rows until it is written anew.
 */
export const GIVES_PAGES_BACK = "pragma auto_vacuum = incremental";

/** Free pages that stay for the next rows: so many, or this share of the file where that is more. */
const KEPT_PAGES = 1_000;
const KEPT_SHARE = 0.05;
/** Pages moved by one statement: one millisecond to four. */
const PAGES_PER_STATEMENT = 8;

/**
 * Gives free pages at the end of a file back, inside the caller's transaction, for so many milliseconds; returns whether there
 * are more to give. What lies behind a free page is moved into it.
 */
export function giveBackPages(db: Database, forMs: number, elapsed: () => number): boolean {
  if (!canGivePagesBack(db)) return false;
  for (const since = elapsed(); hasSpare(db); ) {
    if (elapsed() - since >= forMs) return true;
    db.exec(`pragma incremental_vacuum(${PAGES_PER_STATEMENT})`);
  }
  return false;
}

/** Whether a file was made, or written anew, so that it can. */
export const canGivePagesBack = (db: Database): boolean => numberOf(db, "auto_vacuum") > 0;

const hasSpare = (db: Database): boolean => {
  const kept = Math.max(KEPT_PAGES, numberOf(db, "page_count") * KEPT_SHARE);
  return numberOf(db, "freelist_count") >= kept + PAGES_PER_STATEMENT;
};

/** What a pragma says that answers with one number. */
const numberOf = (db: Database, pragma: "auto_vacuum" | "freelist_count" | "page_count"): number =>
  db.query<Record<string, number>, []>(`pragma ${pragma}`).get()?.[pragma] ?? 0;
