import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  fsyncSync,
  mkdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { AppError } from "../../../core/kernel/errors.ts";
import { foreignLink } from "../../../core/kernel/files/foreign-links.ts";
import type { HeldFolder } from "../../../core/kernel/files/held-folder.ts";
import { holdFolder, makeIn, nameIn } from "../../../core/kernel/files/held-folder.ts";
import { PRIVATE_FOLDER } from "../../../core/kernel/files/private-files.ts";
import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { WrittenBackup } from "../../../core/ports/keeping/backups.ts";
import type { Backup, BackupManifest } from "../../../core/schema/keeping/backup.ts";
import { canGivePagesBack, GIVES_PAGES_BACK } from "../engine/free-pages.ts";
import { openFile } from "../engine/open-file.ts";
import { openReadable } from "../engine/open-readable.ts";
import { foreignParts, sayForeign } from "../migrations/foreign-parts.ts";
import { userVersion } from "../migrations/migrate.ts";
import { countRows } from "./count-rows.ts";
import { manifestFrame } from "./file-format.ts";
import { backupsIn } from "./list.ts";
import { pruneBeside } from "./prune.ts";
import { makeWorkFolder, partName, removeAbandoned } from "./workplace.ts";

/** What a thread needs to write one. */
export interface WriteOrder {
  /** The data file, which others may be writing. */
  readonly source: string;
  readonly destination: string;
  /** How many backups stay in its folder; all for null. */
  readonly keep: number | null;
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
 * gives it its name once it is on the disk. Takes room for a second data file meanwhile, where nobody else can change it; nothing
 * is left where it fails. The folder that the backup goes to may be anybody's: it is held open, and what is packed goes into one
 * file that is opened once. Throws UNAVAILABLE where the file has what a restore refuses, or another took the place of the backup.
 */
export async function writeBackup(
  order: WriteOrder,
  tell: (progress: MaintenanceProgress) => void,
): Promise<WrittenBackup> {
  const { source, destination, keep } = order;
  const place = dirname(destination);
  if (keep !== null) requireNamedItself(place);
  mkdirSync(place, { recursive: true, mode: PRIVATE_FOLDER });
  const folder = holdFolder(place, { follows: true });
  try {
    removeAbandoned(dirname(source));
    removeAbandoned(place);
    const backup = await writeInto(folder, order, tell);
    const left = keep === null ? [] : pruneBeside(folder, backup, backupsIn(folder, folder.names()), keep);
    return { backup, left };
  } finally {
    folder.close();
  }
}

/** What is removed beside a backup lies where the caller named it, and not where somebody else leads. Throws UNAVAILABLE. */
function requireNamedItself(folder: string): void {
  const link = foreignLink(folder);
  if (link === null) return;
  throw new AppError(
    "UNAVAILABLE",
    `${link} is a link of another account, so that --keep might remove backups elsewhere. Name the folder itself, or leave out --keep.`,
  );
}

async function writeInto(
  folder: HeldFolder,
  { source, destination, release, extension }: WriteOrder,
  tell: (progress: MaintenanceProgress) => void,
): Promise<Backup> {
  const work = makeWorkFolder(folder.path, dirname(source));
  const step = (done: number) => tell({ done, total: STEPS.length, now: STEPS[done] ?? "" });
  try {
    const copy = join(work, "copy.db");
    step(0);
    const created_at = snapshot(source, copy);
    requireOurs(copy, source, extension);
    step(1);
    const manifest: BackupManifest = { format: 1, release, created_at, ...contentsOf(copy), ...(await digestOf(copy)) };
    step(2);
    return { file: destination, bytes: await pack(copy, folder, basename(destination), manifest), manifest };
  } finally {
    rmSync(work, { recursive: true, force: true });
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

/** Packs a copy into a new file of a folder; returns its size. */
async function pack(copy: string, folder: HeldFolder, name: string, manifest: BackupManifest): Promise<number> {
  const part = partName();
  const file = makeIn(folder, part);
  try {
    writeSync(file, manifestFrame(manifest));
    const params = { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 };
    const data = createReadStream(copy, { highWaterMark: READ_BYTES });
    const packed = createWriteStream(folder.at(part), { fd: file, autoClose: false });
    await pipeline(data, createZstdCompress({ params }), packed);
    fsyncSync(file);
    const stats = fstatSync(file);
    nameIn(folder, part, name, stats);
    return stats.size;
  } catch (error) {
    rmSync(folder.at(part), { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}
