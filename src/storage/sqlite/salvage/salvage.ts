import type { Database } from "bun:sqlite";
import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import { closeOwnFile } from "../../../core/kernel/files/own-modes.ts";
import { silentLogger } from "../../../core/kernel/log.ts";
import type { Salvaged } from "../../../core/schema/integrity.ts";
import { nameOf } from "../../integrity/tally.ts";
import { forgetDamage } from "../engine/damage-file.ts";
import { asStorageFault, isDamage } from "../engine/faults.ts";
import { DATA_FILE } from "../engine/folder-files.ts";
import { lockFolder } from "../engine/folder-lock.ts";
import { GIVES_PAGES_BACK } from "../engine/free-pages.ts";
import { openFile } from "../engine/open-file.ts";
import { loadableExtension } from "../engine/vector-extension.ts";
import { damageOf, pagedTables } from "../integrity/pages.ts";
import { migrations } from "../migrations/all.ts";
import { migrate, userVersion } from "../migrations/migrate.ts";
import { codeStoreOf } from "../vectors/code-tables.ts";
import { copyTables } from "./copy.ts";
import { mendReferences } from "./references.ts";

/** The folder, where native libraries may be unpacked, and a word for the time that the damaged file is named after. */
export interface SalvageOptions {
  readonly folder: string;
  readonly cacheDir: string;
  readonly stamp: string;
}

/**
 * Where pages of the data file are damaged, copies every row that can be read into a new file, puts that in its place and
 * keeps the damaged one beside it. Null when the file is sound. What is derived from rows is for a rebuild to rebuild.
 */
export function salvage(options: SalvageOptions): Salvaged | null {
  const file = join(options.folder, DATA_FILE);
  if (!existsSync(file)) return null;
  const { release: unlock } = lockFolder(options.folder);
  try {
    return salvageFile(file, options);
  } catch (error) {
    throw asStorageFault(error);
  } finally {
    unlock();
  }
}

function salvageFile(file: string, { folder, cacheDir, stamp }: SalvageOptions): Salvaged | null {
  const made = `${file}.salvaged`;
  requireSchema(file);
  const extension = loadableExtension(cacheDir, silentLogger);
  const damagedFile = open(file, extension);
  let found: Pick<Salvaged, "damaged" | "lost">;
  try {
    const damaged = pagedTables(damagedFile).flatMap((table) => damageOf(damagedFile, table));
    if (damaged.length === 0) {
      forgetDamage(folder);
      return null;
    }
    rmSync(made, { force: true });
    const fresh = open(made, extension);
    try {
      fresh.exec(GIVES_PAGES_BACK);
      const steps = migrations({ dimensions: dimensionsOf(damagedFile, file) }, undefined, codeStoreOf({ extension }));
      migrate(fresh, steps.slice(0, userVersion(damagedFile)));
      const lost = fresh.transaction(() => [...copyTables(damagedFile, fresh), ...mendReferences(fresh)])();
      found = { damaged: [...new Set(damaged.map(nameOf))], lost };
    } finally {
      fresh.close();
    }
    // Into the file that is kept, so that it is whole.
    damagedFile.exec("pragma wal_checkpoint(truncate)");
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  } finally {
    damagedFile.close();
  }
  const kept = `${file}.damaged-${stamp}`;
  keepBeside(file, kept);
  closeOwnFile(made);
  renameSync(made, file);
  forgetDamage(folder);
  return { kept, ...found };
}

/** A second name first, so that at no moment there is no data file. */
function keepBeside(file: string, kept: string): void {
  try {
    linkSync(file, kept);
  } catch {
    // A file system without second names.
    copyFileSync(file, kept);
  }
  for (const end of ["-wal", "-shm"]) if (existsSync(file + end)) renameSync(file + end, kept + end);
}

function open(path: string, extension: string | null): Database {
  const db = openFile(path, { create: true, readwrite: true });
  if (extension !== null) db.loadExtension(extension);
  return db;
}

/** Throws where the table that names all others cannot be read: without it nobody knows which page is whose. */
function requireSchema(file: string): void {
  const db = openFile(file, { readwrite: true });
  try {
    db.query("select sql from sqlite_schema").all();
  } catch (cause) {
    const isUnread = isDamage(cause) || (cause instanceof Error && "code" in cause && cause.code === "SQLITE_NOTADB");
    throw isUnread ? beyondSalvage(file, cause) : cause;
  } finally {
    db.close();
  }
}

const beyondSalvage = (file: string, cause?: unknown): AppError =>
  new AppError(
    "UNAVAILABLE",
    `The part of ${file} that names its tables is damaged, so nothing of it can be read here. It was left as it is: restore it from a backup, or keep a copy and begin anew in another folder with --data.`,
    { reason: "schema_damaged" },
    { cause },
  );

/** How many dimensions the vectors of a file have, as its own shape says. */
function dimensionsOf(db: Database, file: string): number {
  const { sql } = db
    .query<{ sql: string }, []>("select sql from sqlite_schema where name = 'document_codes'")
    .get() ?? {
    sql: "",
  };
  const found = /bit\[(\d+)\]/.exec(sql)?.[1];
  if (found) return Number(found);
  throw beyondSalvage(file);
}
