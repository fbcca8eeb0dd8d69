import { Database } from "bun:sqlite";
import { AppError } from "../../../core/kernel/errors.ts";
import type { StoragePolicies } from "../../../core/ports/storage-policies.ts";
import type { EmbedderSpace } from "../../options.ts";
import { createCheckpointer } from "./checkpointer.ts";
import { cutLog } from "./cut-log.ts";
import { asStorageFault } from "./faults.ts";
import { openFile } from "./open-file.ts";
import { openReadable } from "./open-readable.ts";

/** Milliseconds a connection waits for a lock of its own process's other connection. */
const BUSY_TIMEOUT_MS = 10_000;
const CACHE_KIB = 64 * 1024;
/** A log of so many pages (64 MiB) is emptied by the writer itself: its own thread did not get to it in time. */
const LOG_PAGES_MAX = 16_384;
const JOURNAL_LIMIT_BYTES = 200 * 1024 * 1024;

/** One writer, and a reader beside it that never waits for the writer (the same connection when all is in memory). */
export interface Connections {
  readonly writeConnection: Database;
  readonly readConnection: Database;
  /** Path of sqlite-vec; null where codes lie in plain tables. */
  readonly extension: string | null;
  /** Runs a synchronous body in one immediate transaction of the writer. */
  transaction<T>(body: () => T): T;
  /** Empties the page caches; what the next statements need is read again. */
  shrink(): void;
  /** Moves what the log holds into the file and cuts the log. */
  emptyLog(): Promise<void>;
  close(): Promise<void>;
}

/** Connections whose writes share transactions. */
export interface GroupedConnections extends Connections {
  /**
   * Runs a synchronous body in a transaction that other bodies share which came meanwhile; resolves once it is committed. A
   * body that throws undoes what it did, and nothing of the others. What it reads is as the bodies before it left it.
   */
  write<T>(body: () => T): Promise<T>;
}

/** Connections, with the rules that are followed in their transactions. */
export interface Engine extends GroupedConnections {
  readonly policies: StoragePolicies;
  /** The space of the vectors that are written. */
  readonly space: EmbedderSpace;
}

/** What stands before every transaction. Both throw where nothing may be written. */
export interface Gate {
  before(): void;
  within(writeConnection: Database): void;
}
const OPEN_GATE: Gate = { before: () => {}, within: () => {} };

/** Opens the file (or memory) with the pragmas of the README; `extension` is the path of sqlite-vec. */
export function connect(file: string | null, extension: string | null, gate = OPEN_GATE): Connections {
  return connected(openFile(file ?? ":memory:", { create: true, readwrite: true }), { file, extension, gate });
}

/** Opens a copy in memory of what another connection has serialized. */
export function connectCopy(state: Uint8Array, extension: string | null): Connections {
  return connected(Database.deserialize(state), { file: null, extension, gate: OPEN_GATE });
}

interface Opening {
  /** Null where all is in memory. */
  readonly file: string | null;
  readonly extension: string | null;
  readonly gate: Gate;
}

function connected(db: Database, { file, extension, gate }: Opening): Connections {
  const writeConnection = prepared(db, extension);
  exec(writeConnection, WRITER_PRAGMAS);
  const readConnection = file === null ? writeConnection : prepared(openFile(file, { readonly: true }), extension);
  const checkpointer = file === null ? null : createCheckpointer(writeConnection, file);
  return {
    writeConnection,
    readConnection,
    extension,
    transaction: (body) => {
      gate.before();
      return writeConnection
        .transaction(() => {
          gate.within(writeConnection);
          return body();
        })
        .immediate();
    },
    shrink: () => {
      for (const db of new Set([readConnection, writeConnection])) db.exec("pragma shrink_memory");
    },
    emptyLog: async () => {
      if (checkpointer && !(await checkpointer.truncate()))
        throw new AppError("UNAVAILABLE", "The log could not be emptied while it is in use. It is tried again.");
    },
    close: async () => {
      await checkpointer?.stop();
      if (readConnection !== writeConnection) readConnection.close();
      if (file !== null) await emptyAtLast(writeConnection);
      writeConnection.close();
    },
  };
}

/** What is done around every transaction: before it begins, which may throw, and after its commit, which must not. */
export interface Around {
  before(): void;
  after(): void;
}
export const NOTHING_AROUND: Around = { before: () => {}, after: () => {} };

/** Whatever connections are current at each use. */
export const currentConnections = (current: () => Connections, { before, after } = NOTHING_AROUND): Connections => ({
  get writeConnection() {
    return current().writeConnection;
  },
  get readConnection() {
    return current().readConnection;
  },
  get extension() {
    return current().extension;
  },
  transaction: (body) => {
    before();
    const done = current().transaction(body);
    after();
    return done;
  },
  shrink: () => current().shrink(),
  emptyLog: () => current().emptyLog(),
  close: () => current().close(),
});

/** Cuts the log. On a full disk, or where another process reads it, it stays where it is, and is read at the next start. */
async function emptyAtLast(writeConnection: Database): Promise<void> {
  try {
    // Threads that have ended let go of their connections a moment later.
    await cutLog(writeConnection);
  } catch (error) {
    if (asStorageFault(error) === error) throw error;
  }
}

/** Opens a file that cannot be written; every transaction throws what `fault` gives. */
export function connectReadOnly(file: string, extension: string | null, fault: () => unknown): Connections {
  const db = prepared(openReadable(file), extension);
  return {
    writeConnection: db,
    readConnection: db,
    extension,
    transaction: () => {
      throw fault();
    },
    shrink: () => db.exec("pragma shrink_memory"),
    emptyLog: async () => {
      throw fault();
    },
    close: async () => db.close(),
  };
}

const WRITER_PRAGMAS = [
  "journal_mode = wal",
  "synchronous = full",
  `wal_autocheckpoint = ${LOG_PAGES_MAX}`,
  `journal_size_limit = ${JOURNAL_LIMIT_BYTES}`,
  "foreign_keys = on",
  // What is deleted is overwritten, not left in free pages.
  "secure_delete = on",
];

function prepared(db: Database, extension: string | null): Database {
  // First, so that every later statement already waits instead of failing.
  exec(db, [`busy_timeout = ${BUSY_TIMEOUT_MS}`]);
  if (extension !== null) db.loadExtension(extension);
  exec(db, ["temp_store = memory", `cache_size = -${CACHE_KIB}`]);
  return db;
}

const exec = (db: Database, pragmas: readonly string[]): void => {
  for (const pragma of pragmas) db.exec(`pragma ${pragma}`);
};
