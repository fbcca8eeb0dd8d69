import { Database } from "bun:sqlite";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { AppError } from "../../kernel/errors.ts";
import { createCheckpointer } from "./checkpointer.ts";
import { asStorageFault } from "./faults.ts";

/** Milliseconds a connection waits for a lock of its own process's other connection. */
const BUSY_TIMEOUT_MS = 10_000;
const CACHE_KIB = 64 * 1024;
/** A log of so many pages (64 MiB) is emptied by the writer itself: its own thread did not get to it in time. */
const LOG_PAGES_MAX = 16_384;
const JOURNAL_LIMIT_BYTES = 200 * 1024 * 1024;

/** One writer, and a reader beside it that never waits for the writer (the same connection when all is in memory). */
export interface Connections {
  readonly writer: Database;
  readonly reader: Database;
  readonly write: BunSQLiteDatabase;
  readonly read: BunSQLiteDatabase;
  /** Runs a synchronous body in one immediate transaction of the writer. */
  transaction<T>(body: () => T): T;
  /** Empties the page caches; what the next statements need is read anew. */
  shrink(): void;
  /** Moves what the log holds into the file and cuts the log. */
  emptyLog(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the file (or memory) with the pragmas of the README; `extension` is the path of sqlite-vec. */
export function connect(file: string | null, extension: string): Connections {
  const writer = open(file ?? ":memory:", extension, false);
  const reader = file === null ? writer : open(file, extension, true);
  const checkpointer = file === null ? null : createCheckpointer(writer, file);
  return {
    writer,
    reader,
    write: drizzle({ client: writer }),
    read: drizzle({ client: reader }),
    transaction: (body) => writer.transaction(body).immediate(),
    shrink: () => {
      for (const db of new Set([reader, writer])) db.exec("pragma shrink_memory");
    },
    emptyLog: async () => {
      if (checkpointer && !(await checkpointer.truncate()))
        throw new AppError("UNAVAILABLE", "The log could not be emptied while it is in use. It is tried again.");
    },
    close: async () => {
      await checkpointer?.stop();
      if (reader !== writer) reader.close();
      if (file !== null) checkpoint(writer);
      writer.close();
    },
  };
}

/** Moves the log into the file. On a full disk it stays where it is, and is read at the next start. */
function checkpoint(writer: Database): void {
  try {
    writer.exec("pragma wal_checkpoint(truncate)");
  } catch (error) {
    if (asStorageFault(error) === error) throw error;
  }
}

function open(path: string, extension: string, readonly: boolean): Database {
  const db = new Database(path, readonly ? { readonly: true } : { create: true, readwrite: true });
  // First, so that every later statement already waits instead of failing.
  db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  db.loadExtension(extension);
  if (!readonly) {
    db.exec("pragma journal_mode = wal");
    db.exec("pragma synchronous = full");
    db.exec(`pragma wal_autocheckpoint = ${LOG_PAGES_MAX}`);
    db.exec(`pragma journal_size_limit = ${JOURNAL_LIMIT_BYTES}`);
    db.exec("pragma foreign_keys = on");
    // What is deleted is overwritten, not left in free pages.
    db.exec("pragma secure_delete = on");
  }
  db.exec("pragma temp_store = memory");
  db.exec(`pragma cache_size = -${CACHE_KIB}`);
  return db;
}
