import { closeSync, existsSync, readSync } from "node:fs";
import { AppError } from "../../../core/kernel/errors.ts";
import { NotPlain, openPlain } from "../../../core/kernel/files/plain-files.ts";
import type { Backup } from "../../../core/schema/keeping/backup.ts";
import { BackupManifest } from "../../../core/schema/keeping/backup.ts";

// A backup is a zstd file (RFC 8878): a skippable frame that holds the manifest as JSON, then the data file in one frame. Any zstd
// tool unpacks it to the SQLite file, and passes over the manifest.

/** What the name of a backup ends with. */
export const BACKUP_END = ".db.zst";
/** One of the sixteen numbers that a skippable frame may begin with. */
const MANIFEST_FRAME = 0x184d2a5c;
const FRAME_HEAD_BYTES = 8;
/** A manifest is some hundred bytes long. */
const MANIFEST_BYTES_MAX = 65_536;

/** The first bytes of a backup, which the packed data file follows. */
export function manifestFrame(manifest: BackupManifest): Buffer {
  const text = Buffer.from(JSON.stringify(manifest));
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUInt32LE(MANIFEST_FRAME, 0);
  head.writeUInt32LE(text.length, 4);
  return Buffer.concat([head, text]);
}

/** A backup and where its packed data begins. */
export interface OpenedBackup extends Backup {
  readonly data_start: number;
}

/** Reads what a backup says of itself. Throws AppError BAD_REQUEST where the file is none. */
export function readBackup(file: string): OpenedBackup {
  const { descriptor: fd, stats } = openBackup(file);
  try {
    const head = Buffer.alloc(FRAME_HEAD_BYTES);
    const isRead = readSync(fd, head, 0, FRAME_HEAD_BYTES, 0) === FRAME_HEAD_BYTES;
    const length = isRead && head.readUInt32LE(0) === MANIFEST_FRAME ? head.readUInt32LE(4) : 0;
    if (length === 0 || length > MANIFEST_BYTES_MAX) throw noBackup(file);
    const text = Buffer.alloc(length);
    if (readSync(fd, text, 0, length, FRAME_HEAD_BYTES) < length) throw cutOff(file);
    return { file, bytes: stats.size, manifest: parsed(file, text.toString()), data_start: FRAME_HEAD_BYTES + length };
  } finally {
    closeSync(fd);
  }
}

function openBackup(file: string): ReturnType<typeof openPlain> {
  if (!existsSync(file)) throw new AppError("BAD_REQUEST", `There is no file ${file}.`);
  try {
    return openPlain(file, { follows: true });
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    throw new AppError(
      "BAD_REQUEST",
      `${file} is no backup: ${error.message}. Name one of the files of \`cairn backup\`.`,
    );
  }
}

function parsed(file: string, text: string): BackupManifest {
  try {
    return BackupManifest.parse(JSON.parse(text));
  } catch (cause) {
    const message = `The manifest of ${file} cannot be read: it was altered, or is of a newer Cairn.`;
    throw new AppError("BAD_REQUEST", message, undefined, { cause });
  }
}

const noBackup = (file: string): AppError =>
  new AppError("BAD_REQUEST", `${file} is no backup of Cairn. Backups are made by \`cairn backup\`.`);

/** The refusal of a backup whose end is missing. */
export const cutOff = (file: string): AppError =>
  new AppError("BAD_REQUEST", `${file} is cut off: it holds less than its manifest says. Take another backup.`);
