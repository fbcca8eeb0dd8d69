import type { Database } from "bun:sqlite";

/** Milliseconds that one try waits for readers of the log to end: so long, whoever writes waits too. */
const BUSY_TIMEOUT_MS = 20;
/** Tries, and the pause between two, in which others read and write. */
const CUTS_MAX = 20;
const PAUSE_MS = 80;

/** Moves all of the log into the file and cuts it; false when others used it at every try. Throws what SQLite throws. */
export async function cutLog(db: Database): Promise<boolean> {
  db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  for (let cuts = 0; cuts < CUTS_MAX; cuts++) {
    if (cuts > 0) await Bun.sleep(PAUSE_MS);
    // Most of it is moved first, so that writers wait for little.
    db.exec("pragma wal_checkpoint(passive)");
    if (db.query<{ busy: number }, []>("pragma wal_checkpoint(truncate)").get()?.busy === 0) return true;
  }
  return false;
}
