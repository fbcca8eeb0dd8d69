import type { Database } from "bun:sqlite";
import type { Connections } from "../engine/connection.ts";
import { openReadable } from "../engine/open-readable.ts";

/** A connection that sees the data of one moment, however long it is read. */
export interface Snapshot {
  readonly db: Database;
  close(): void;
}

const BUSY_TIMEOUT_MS = 10_000;

/** Holds the present moment of a file; what lies in memory is read as it changes. */
export function openSnapshot(file: string | null, { readConnection }: Connections): Snapshot {
  if (file === null) return { db: readConnection, close: () => {} };
  const db = openReadable(file);
  db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  db.exec("begin");
  // The moment is that of the first read.
  db.query("select count(*) from sqlite_schema").get();
  return { db, close: () => db.close() };
}
