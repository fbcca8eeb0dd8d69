import { createReadStream, createWriteStream, rmSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { AppError } from "../../../core/kernel/errors.ts";
import { PRIVATE_FILE } from "../../../core/kernel/files/private-files.ts";
import type { BackupManifest } from "../../../core/schema/keeping/backup.ts";
import { asStorageFault } from "../engine/faults.ts";
import { cutOff, readBackup } from "./file-format.ts";
import { heldToManifest } from "./held-to-manifest.ts";

/**
 * Unpacks the data file of a backup to a path, held to the manifest: not a byte more is written than it says, nor where there
 * is no room for that. Throws AppError BAD_REQUEST where the backup is cut off or altered, UNAVAILABLE where it cannot be
 * written; then nothing is left.
 */
export async function unpackBackup(file: string, target: string): Promise<BackupManifest> {
  const { manifest, data_start } = readBackup(file);
  requireRoom(target, manifest);
  const held = heldToManifest(manifest, () => altered(file));
  // What a restore that was killed left there, or somebody put there: it is not gone through.
  rmSync(target, { force: true });
  try {
    const packed = createReadStream(file, { start: data_start });
    const written = createWriteStream(target, { mode: PRIVATE_FILE, flags: "wx", flush: true });
    await pipeline(packed, createZstdDecompress(), held.stream, written).catch((cause: unknown) => {
      throw isOfZstd(cause) ? altered(file, cause) : cause;
    });
    if (held.bytes() < manifest.bytes) throw cutOff(file);
    if (held.digest() !== manifest.sha256) throw altered(file);
    return manifest;
  } catch (error) {
    rmSync(target, { force: true });
    throw asUnpackFault(target, error);
  }
}

const isOfZstd = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && String(cause.code).startsWith("ZSTD");

/** Throws UNAVAILABLE where the disk has no room for what a backup says that it holds. */
function requireRoom(target: string, { bytes }: BackupManifest): void {
  const folder = dirname(target);
  const { bavail, bsize } = statfsSync(folder);
  if (bytes <= bavail * bsize) return;
  throw new AppError(
    "UNAVAILABLE",
    `${folder} has no room for this backup: it unpacks to ${megabytes(bytes)} MB, and ${megabytes(bavail * bsize)} MB are free. Nothing was changed.`,
  );
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** The refusal of a backup that is not as it was made. */
export const altered = (file: string, cause?: unknown): AppError =>
  new AppError(
    "BAD_REQUEST",
    `${file} was altered: it does not unpack to what its manifest says. Take another backup.`,
    undefined,
    {
      cause,
    },
  );

function asUnpackFault(target: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code !== "ENOSPC" && code !== "EDQUOT") return asStorageFault(error);
  return new AppError(
    "UNAVAILABLE",
    `${target} could not be written: the disk is full. Nothing was changed.`,
    undefined,
    {
      cause: error,
    },
  );
}
