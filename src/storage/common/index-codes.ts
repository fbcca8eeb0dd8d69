import { isSilent } from "../../core/kernel/vectors.ts";
import type { EmbedderSpace } from "../options.ts";
import { signCode } from "./sign-code.ts";

/** The vectors of a row as they are stored. */
export interface StoredVectors {
  readonly own: Float32Array;
  readonly context: Float32Array | null;
}

/**
 * Bytes of a code of the index, in memory and in Postgres (`bit(448)`, and the signs of `vector(448)`). Their number comes from when
 * a code had 24 bytes of one model's signs and 32 of another's. The model that comes with Cairn, of 384 dimensions, fills 48, and zeros
 * the rest; of a model of one's own with more than 448 dimensions, so many bytes from all over are kept.
 */
export const CODE_BYTES = 56;
/** Numbers of what a code has the signs of. */
export const CODED_VALUES = 8 * CODE_BYTES;

/** Which bytes of a stored code the index keeps: all, or as many as it has room for. */
const keptBytes = ({ dimensions }: Pick<EmbedderSpace, "dimensions">): readonly number[] =>
  spread(dimensions / 8, Math.min(dimensions / 8, CODE_BYTES));

/** So many numbers below another, evenly. */
const spread = (below: number, wanted: number): number[] =>
  Array.from({ length: wanted }, (_, i) => Math.floor((i * below) / wanted));

/** A question as the index compares it. */
export interface IndexedQuestion {
  readonly code: Uint8Array;
  /** Set where a bit counts. */
  readonly mask: Uint8Array;
  /** What each value of each byte of a code adds to the likeness, 256 for every byte. */
  readonly table: Float32Array;
}

/** Codes of the index, made of those that are stored. */
export interface IndexCodes {
  /** The part of a row's stored code that the index keeps, written into `into`. */
  reduce(stored: Uint8Array, into?: Uint8Array): Uint8Array;
  question(asked: Float32Array): IndexedQuestion;
  /** The numbers themselves, whose inner products rank as cosines do; zeros beyond those of the space. */
  values(coded: Float32Array): Float32Array;
}

/** How vectors of a space become codes of the index. */
export function indexCodes(space: EmbedderSpace): IndexCodes {
  const kept = keptBytes(space);
  const weightsOf = (values: Float32Array): Float32Array => centred(values, space.center, kept);
  return {
    reduce: (stored, into = new Uint8Array(CODE_BYTES)) => {
      for (let i = 0; i < kept.length; i++) into[i] = stored[kept[i] ?? 0] ?? 0;
      return into;
    },
    question: (asked) => {
      const weights = weightsOf(asked);
      const mask = new Uint8Array(CODE_BYTES).fill(255, 0, weights.length / 8);
      return { code: signCode(weights, NOTHING), mask, table: likenessTable(weights) };
    },
    values: (coded) => {
      const values = new Float32Array(CODED_VALUES);
      values.set(weightsOf(coded));
      return values;
    },
  };
}

const NOTHING = new Float32Array(CODED_VALUES);

/** The values of some bytes' dimensions around the centre, scaled so that each is one on average. */
function centred(values: Float32Array, center: Float32Array, bytes: readonly number[]): Float32Array {
  const own = bytes.flatMap((byte) => BITS.map((bit) => (values[8 * byte + bit] ?? 0) - (center[8 * byte + bit] ?? 0)));
  const length = Math.hypot(...own) || 1;
  const scale = Math.sqrt(own.length) / length;
  return Float32Array.from(own, (value) => value * scale);
}

const BITS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** A set bit adds the question's value, one that is not takes it away. */
function likenessTable(weights: Float32Array): Float32Array {
  const table = new Float32Array(CODE_BYTES * 256);
  for (let byte = 0; byte < weights.length / 8; byte++) {
    const own = weights.subarray(8 * byte, 8 * byte + 8);
    table[256 * byte] = -own.reduce((sum, value) => sum + value, 0);
    for (let value = 1; value < 256; value++) {
      const lowest = 31 - Math.clz32(value & -value);
      table[256 * byte + value] = (table[256 * byte + (value & (value - 1))] ?? 0) + 2 * (own[lowest] ?? 0);
    }
  }
  return table;
}

/** The signs of a vector; a code has room for twice as many, since it once had those of a second model. */
export function codeOf(space: EmbedderSpace, values: Float32Array): Uint8Array {
  const signs = signCode(values, space.center);
  const code = new Uint8Array(2 * signs.length);
  code.set(signs);
  return code;
}

/** A row's code: the signs of what is compared; null where that is nothing. */
export function codeOfRow(space: EmbedderSpace, vectors: StoredVectors): Uint8Array | null {
  const compared = comparedOf(vectors);
  return compared && codeOf(space, compared);
}

/**
 * What of a row's vectors is compared: their mean, which is near to whatever either of them is near to. Null where its own is
 * silent: that is near to nothing.
 */
export function comparedOf({ own, context }: StoredVectors): Float32Array | null {
  if (isSilent(own)) return null;
  return context ? own.map((value, i) => (value + (context[i] ?? 0)) / 2) : own;
}

/** How much a code of the index is like a question, by the question's own values. */
export function likeness(table: Float32Array, codes: Uint8Array, at = 0): number {
  let sum = 0;
  for (let byte = 0; byte < CODE_BYTES; byte++) sum += table[256 * byte + (codes[at + byte] ?? 0)] ?? 0;
  return sum;
}
