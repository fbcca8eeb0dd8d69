import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { AppError } from "../../../core/kernel/errors.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../../core/kernel/files/private-files.ts";
import { isRunning } from "../../../core/kernel/processes.ts";
import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { Backup, BackupManifest } from "../../../core/schema/keeping/backup.ts";
import { canGivePagesBack, GIVES_PAGES_BACK } from "../engine/free-pages.ts";
import { openFile } from "../engine/open-file.ts";
import { openReadable } from "../engine/open-readable.ts";
import { foreignParts, sayForeign } from "../migrations/foreign-parts.ts";
import { userVersion } from "../migrations/migrate.ts";
import { countRows } from "./count-rows.ts";
import { BACKUP_END, manifestFrame } from "./file-format.ts";

/** What a thread needs to write one. */
export interface WriteOrder {
  /** The data file, which others may be writing. */
  readonly source: string;
  readonly destination: string;
  readonly release: string;
  /** Path of sqlite-vec; null where it is not loaded. */
  readonly extension: string | null;
}

const READ_BYTES = 1 << 20;
/** Between speed and size: a second for some 200 MB. */
const LEVEL = 3;
const STEPS = ["copying the data file", "reading the copy", "packing it"] as const;

/**
 * Copies a data file as it is at one moment (`vacuum into`, in one read transaction), packs the copy behind its manifest and
 * gives it its name once it is on the disk. Takes room for a second data file meanwhile; nothing is left where it fails. Throws
 * UNAVAILABLE where the file has what a restore refuses.
 */
export async function writeBackup(
  { source, destination, release, extension }: WriteOrder,
  tell: (progress: MaintenanceProgress) => void,
): Promise<Backup> {
  const folder = dirname(destination);
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  removeAbandoned(folder);
  const work = mkdtempSync(join(folder, `.${basename(destination)}-${process.pid}-`));
  const step = (done: number) => tell({ done, total: STEPS.length, now: STEPS[done] ?? "" });
  try {
    const copy = join(work, "copy.db");
    step(0);
    const created_at = snapshot(source, copy);
    requireOurs(copy, source, extension);
    step(1);
    const manifest: BackupManifest = { format: 1, release, created_at, ...contentsOf(copy), ...(await digestOf(copy)) };
    step(2);
    const packed = join(work, "packed");
    await pack(copy, packed, manifest);
    await rename(packed, destination);
    return { file: destination, bytes: statSync(destination).size, manifest };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Where a backup is made: after its file, with the process that makes it. */
const WORK = /^\..*-(\d+)-\w{6}$/;

/** Removes what processes that have ended left half done in a folder, as far as this user may. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = WORK.exec(name)?.[1];
    if (!pid || !name.includes(BACKUP_END) || isRunning(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Somebody else's, who may remove it.
    }
  }
}

/** Copies the file as it is now; returns that moment. */
function snapshot(source: string, copy: string): string {
  const db = openReadable(source);
  try {
    db.exec("pragma busy_timeout = 10000");
    const { now = "" } = db.query<{ now: string }, []>("select strftime('%Y-%m-%dT%H:%M:%fZ') as now").get() ?? {};
    // The copy of a file of an older Cairn is one that can.
    if (!canGivePagesBack(db)) db.exec(GIVES_PAGES_BACK);
    db.query("vacuum into ?").run(copy);
    return now;
  } finally {
    db.close();
  }
}

/** A backup that could not be restored is none. */
function requireOurs(copy: string, source: string, extension: string | null): void {
  const db = openFile(copy, { readonly: true });
  try {
    const foreign = foreignParts(db, () => extension);
    if (foreign.length === 0) return;
    const next =
      "A backup with them could not be restored, so none was written. Drop them with the program that made them.";
    throw new AppError("UNAVAILABLE", `${sayForeign(source, foreign)} ${next}`);
  } finally {
    db.close();
  }
}

function contentsOf(copy: string): Pick<BackupManifest, "shape" | "models" | "counts"> {
  const db = openFile(copy, { readonly: true });
  try {
    const models = db
      .query<{ id: string }, []>(
        "select embedded_by as id from memories where embedded_by is not null union select embedder_id from generations order by 1",
      )
      .all();
    return { shape: userVersion(db), models: models.map(({ id }) => id), counts: countRows(db) };
  } finally {
    db.close();
  }
}

async function digestOf(copy: string): Promise<Pick<BackupManifest, "bytes" | "sha256">> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(copy, { highWaterMark: READ_BYTES })) hash.update(part);
  return { bytes: statSync(copy).size, sha256: hash.digest("hex") };
}

async function pack(copy: string, packed: string, manifest: BackupManifest): Promise<void> {
  const file = await open(packed, "wx", PRIVATE_FILE);
  try {
    await file.write(manifestFrame(manifest));
    const params = { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 };
    const data = createReadStream(copy, { highWaterMark: READ_BYTES });
    await pipeline(data, createZstdCompress({ params }), createWriteStream(packed, { flags: "a" }));
    await file.sync();
  } finally {
    await file.close();
  }
}
