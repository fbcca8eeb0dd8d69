import type { Readable } from "node:stream";
import { createGunzip, createInflateRaw } from "node:zlib";
import { AppError } from "../../core/kernel/errors.ts";

const MIB = 1_048_576;
/** Texts shrink to a tenth or a twentieth; what unpacks to more than this many times its size was made to fill a machine. */
const RATIO_MAX = 200;
/** So much is unpacked whatever the ratio. */
const FREE_BYTES = 64 * MIB;

/** What is known of something packed. */
export interface Packed {
  /** As a person knows it. */
  readonly name: string;
  readonly kind: "gzip" | "deflate" | "stored";
  /** Its bytes as it is. */
  readonly packed: number;
  /** Its bytes once it is unpacked, and their checksum; null where it does not say before its end. */
  readonly size: { readonly bytes: number; readonly crc32: number } | null;
}

/** Throws AppError BAD_REQUEST where so much cannot honestly have been packed into so little. */
export function requireRatio(name: string, bytes: number, packed: number): void {
  if (bytes <= FREE_BYTES || bytes <= RATIO_MAX * packed) return;
  throw new AppError(
    "BAD_REQUEST",
    `${name} unpacks to more than ${RATIO_MAX} times its size: unpack it yourself, and import what it holds, if you know who made it.`,
  );
}

/** Unpacks in pieces, and no further than it is said to reach. Throws AppError BAD_REQUEST where it is broken. */
export async function* unpacked(
  packed: Readable,
  { name, kind, packed: size, size: told }: Packed,
): AsyncGenerator<Buffer> {
  let [bytes, crc] = [0, 0];
  try {
    for await (const piece of kind === "stored" ? packed : inflated(packed, kind)) {
      const part: Buffer = piece;
      bytes += part.length;
      if (told !== null && bytes > told.bytes) throw broken(name);
      requireRatio(name, bytes, size);
      if (told !== null) crc = Bun.hash.crc32(part, crc);
      yield part;
    }
  } catch (error) {
    throw error instanceof AppError ? error : broken(name, error);
  } finally {
    packed.destroy();
  }
  if (told !== null && (bytes !== told.bytes || crc !== told.crc32)) throw broken(name);
}

function inflated(packed: Readable, kind: "gzip" | "deflate"): Readable {
  const inflate = kind === "gzip" ? createGunzip() : createInflateRaw();
  packed.on("error", (error) => inflate.destroy(error));
  return packed.pipe(inflate);
}

/** Says that an archive, or a part of it, cannot be unpacked. */
export const broken = (name: string, cause?: unknown): AppError =>
  new AppError("BAD_REQUEST", `${name} cannot be unpacked: it is broken, or was cut off. Fetch it again.`, undefined, {
    cause,
  });
