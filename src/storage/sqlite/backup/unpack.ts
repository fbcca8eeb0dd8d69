import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, rmSync, statSync } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { AppError } from "../../../core/kernel/errors.ts";
import { PRIVATE_FILE } from "../../../core/kernel/private-files.ts";
import type { BackupManifest } from "../../../core/schema/keeping/backup.ts";
import { asStorageFault } from "../engine/faults.ts";
import { cutOff, readBackup } from "./file-format.ts";

/**
 * Unpacks the data file of a backup to a path and holds it against the manifest. Throws AppError BAD_REQUEST where the backup is
 * cut off or altered, UNAVAILABLE where it cannot be written; then nothing is left.
 */
export async function unpackBackup(file: string, target: string): Promise<BackupManifest> {
  const { manifest, data_start } = readBackup(file);
  const hash = createHash("sha256");
  const digesting = new Transform({
    transform(part, _, done) {
      hash.update(part);
      done(null, part);
    },
  });
  try {
    const packed = createReadStream(file, { start: data_start });
    const written = createWriteStream(target, { mode: PRIVATE_FILE, flush: true });
    await pipeline(packed, createZstdDecompress(), digesting, written).catch((cause: unknown) => {
      throw isOfZstd(cause) ? altered(file, cause) : cause;
    });
    if (statSync(target).size < manifest.bytes) throw cutOff(file);
    if (hash.digest("hex") !== manifest.sha256) throw altered(file);
    return manifest;
  } catch (error) {
    rmSync(target, { force: true });
    throw asUnpackFault(target, error);
  }
}

const isOfZstd = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && String(cause.code).startsWith("ZSTD");

const altered = (file: string, cause?: unknown): AppError =>
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
