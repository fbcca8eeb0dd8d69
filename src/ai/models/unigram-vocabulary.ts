import { existsSync } from "node:fs";
import { COMPRESSED, readModelFile } from "./files.ts";

const MAGIC = "UNI1";
const HEADER_BYTES = 16;

/** Pieces of text and how likely they are: five megabytes for 250,000. */
export interface UnigramVocabulary {
  /** A double array over the bytes of the pieces, see `UNIT`. */
  readonly units: Uint32Array;
  /** Logarithm of each piece's probability. */
  readonly scores: Float32Array;
  /** Number of the piece that stands for what no piece covers. */
  readonly unknown: number;
}

/**
 * How scripts/models/multilingual/vocabulary.py packs a unit: the byte that leads to it, whether a piece ends there, its base. From
 * a unit, a byte leads to the unit at base ^ byte if that one has this byte; where a piece ends, base ^ 0 has its number for a base.
 */
export const UNIT = { byteMask: 0xff, ends: 0x100, baseShift: 9 } as const;

export const hasVocabulary = (path: string): boolean => existsSync(path) || existsSync(path + COMPRESSED);

/** Reads a file of pieces; what is in it is used as it lies there. */
export function readVocabulary(path: string): UnigramVocabulary {
  const bytes = readModelFile(path);
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const header = bytes.length < HEADER_BYTES ? [] : new Uint32Array(buffer, byteOffset, HEADER_BYTES / 4);
  const [, units = 0, pieces = 0, unknown = 0] = header;
  const isWhole = bytes.length === HEADER_BYTES + 4 * (units + pieces);
  if (!isWhole || new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC)
    throw new Error(`${path} is not a vocabulary as this version reads it.`);
  return {
    units: new Uint32Array(buffer, byteOffset + HEADER_BYTES, units),
    scores: new Float32Array(buffer, byteOffset + HEADER_BYTES + 4 * units, pieces),
    unknown,
  };
}
