import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import { describeCause } from "../../../core/kernel/log.ts";
import type { StorageOptions } from "../../options.ts";
import { foreignParts, sayForeign } from "../migrations/foreign-parts.ts";
import type { Migration } from "../migrations/migrate.ts";
import { migrate, requireShape } from "../migrations/migrate.ts";
import { codeStoreOf, moveCodes } from "../vectors/code-tables.ts";
import { keepBeforeUpgrade } from "./before-upgrade.ts";
import type { Connections, Gate } from "./connection.ts";
import { connect, connectReadOnly } from "./connection.ts";
import {
  asFolderFault,
  DATA_FILE,
  hasData,
  LOG_FILES,
  makeDataFile,
  mayBeReadable,
  whyNotWritable,
} from "./folder-files.ts";
import type { FolderLock } from "./folder-lock.ts";
import { inUse, lockFolder, shareFolder } from "./folder-lock.ts";
import { isUnused, lockOfOwner, requireOwnership, takeOwnership } from "./folder-owner.ts";
import { openFile } from "./open-file.ts";
import { watchFiles } from "./watch-files.ts";

export interface Opened {
  readonly at: Connections;
  /** Why this process only reads; null while it owns the folder. */
  readonly fault: AppError | null;
  /** Throws when the files that are open are no longer those of the folder. */
  check(): void;
  close(): Promise<void>;
}

export interface FolderOptions extends Pick<StorageOptions, "log"> {
  readonly folder: string;
  /** Path of sqlite-vec; null to do without. */
  readonly extension: string | null;
  readonly migrations: readonly Migration[];
}

/** Opens the folder as its only owner. */
export function openToWrite({ folder, extension, migrations, log }: FolderOptions): Opened {
  let lock: FolderLock | null = null;
  let db: Connections | null = null;
  try {
    lock = lockFolder(folder);
    makeDataFile(folder);
    const file = join(folder, DATA_FILE);
    refuseRival(folder, file, lock);
    const gate = ownersGate(folder, lock);
    db = connect(file, extension, gate);
    moveCodes(db.writeConnection, codeStoreOf(db));
    const writer = db.writeConnection;
    migrate(writer, migrations, (shape) => {
      requireOurs(writer, file, extension);
      log.info("the data is upgraded, and copied before", { from: shape, to: migrations.length });
      log.info("the data was copied", { kept: keepBeforeUpgrade(folder, writer, shape) });
    });
    gate.take(db.writeConnection);
    const opened = db;
    const close = async () => {
      await opened.close();
      gate.release();
    };
    return { at: db, fault: null, check: gate.check, close };
  } catch (error) {
    void db?.close().catch((cause: unknown) => log.warn("data file not closed", { cause: describeCause(cause) }));
    lock?.release();
    throw asFolderFault(folder, error);
  }
}

/**
 * Opens a folder that has data and cannot be written. Whoever could write it is kept out meanwhile, as far as there is a
 * lock to take; `besideOwner` reads where somebody else has become the owner.
 */
export function openToRead(
  { folder, extension, migrations }: FolderOptions,
  fault: AppError,
  { besideOwner = false } = {},
): Opened {
  const lock = besideOwner ? null : shareFolder(folder);
  try {
    const db = connectReadOnly(join(folder, DATA_FILE), extension, () => fault);
    requireShape(db.readConnection, migrations);
    const files = watchFiles(folder, [DATA_FILE]);
    const close = () => {
      const closed = db.close();
      lock?.release();
      return closed;
    };
    return { at: db, fault, check: files.check, close };
  } catch (error) {
    lock?.release();
    throw asFolderFault(folder, error);
  }
}

/** Steps of an upgrade run in a file as earlier releases left it, and in no other. */
function requireOurs(db: Database, file: string, extension: string | null): void {
  const foreign = foreignParts(db, () => extension);
  if (foreign.length === 0) return;
  const next = "Drop it with the program that made it, or restore a backup; nothing was changed.";
  throw new AppError("UNAVAILABLE", `${sayForeign(file, foreign)} ${next}`);
}

/** As its owner where that is possible, else as a reader of what is there. */
export function openEither(options: FolderOptions): Opened {
  try {
    return openToWrite(options);
  } catch (error) {
    if (!mayBeReadable(error) || !hasData(options.folder)) throw error;
    return openToRead(options, whyNotWritable(options.folder) ?? error);
  }
}

/**
 * The lock keeps others out while its file has the same name. Where it is another file than the last owner's, that owner
 * may still be at work: then only a data file that nobody has open is ours to take.
 */
function refuseRival(folder: string, file: string, lock: FolderLock): void {
  const db = openFile(file, { readonly: true });
  const known = lockOfOwner(db);
  db.close();
  if (known !== lock.inode && !isUnused(file)) throw inUse(folder);
}

interface OwnersGate extends Gate {
  /** Writes down that this process is the owner. */
  take(writer: Database): void;
  check(): void;
  release(): void;
}

/** Lets nothing be written into files that are no longer those of the folder, nor after another process took it over. */
function ownersGate(folder: string, first: FolderLock): OwnersGate {
  const token = crypto.randomUUID();
  let lock = first;
  let noted: string | null = null;
  let files = watchFiles(folder, []);
  const before = () => {
    files.check();
    if (lock.isInPlace()) return;
    try {
      const next = lockFolder(folder);
      lock.release();
      lock = next;
    } catch (error) {
      throw asFolderFault(folder, error);
    }
  };
  return {
    before,
    check: before,
    within: (writer) => {
      if (noted === null) return;
      requireOwnership(writer, token);
      if (noted === lock.inode) return;
      takeOwnership(writer, token, lock.inode);
      noted = lock.inode;
    },
    take: (writer) => {
      takeOwnership(writer, token, lock.inode);
      noted = lock.inode;
      files = watchFiles(folder, [DATA_FILE, ...LOG_FILES]);
    },
    release: () => lock.release(),
  };
}
