import type { EmbedderSpace } from "../options.ts";
import { signCode } from "./sign-code.ts";

/** What is compared by its code: the vector of the primary embedder, and that of the second where there is one. */
export interface Coded {
  readonly values: Float32Array;
  readonly secondary?: Float32Array | null | undefined;
}

/** The vectors of a row as they are stored. */
export interface StoredVectors {
  readonly own: Float32Array;
  readonly context: Float32Array | null;
  /** Of the secondary embedder. */
  readonly secondary: Float32Array | null;
}

/** Bytes of a code of the index. */
export const CODE_BYTES = 56;
/** Numbers of what a code has the signs of. */
export const CODED_VALUES = 8 * CODE_BYTES;

/**
 * Which bytes of a stored code the index keeps. Of both embedders' signs, 192 of the first and 256 of the second found as
 * much as all 768 do, once the nearest by them are ranked by the question's own values: among the 128 nearest of 3,081 turns
 * of conversations were .982 of the true twenty, .980 by all signs compared as signs.
 */
function keptBytes({ dimensions, secondary_center }: EmbedderSpace): readonly number[] {
  const each = dimensions / 8;
  if (!secondary_center) return spread(each, Math.min(each, CODE_BYTES));
  const first = Math.min(each, 24);
  const second = Math.min(each, CODE_BYTES - first);
  return [...spread(each, first), ...spread(each, second).map((byte) => each + byte)];
}

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
  question(asked: Coded): IndexedQuestion;
  /** The numbers themselves, whose inner products rank as cosines of both embedders together; without a second one, zeros. */
  values(coded: Coded): Float32Array;
}

/** How vectors of a space become codes of the index. */
export function indexCodes(space: EmbedderSpace): IndexCodes {
  const kept = keptBytes(space);
  const each = space.dimensions / 8;
  const isFirst = (byte: number): boolean => byte < each;
  const weightsOf = ({ values, secondary }: Coded): Float32Array => {
    const first = centred(values, space.center, kept.filter(isFirst));
    const others = kept.filter((byte) => !isFirst(byte)).map((byte) => byte - each);
    const { secondary_center } = space;
    const second = secondary && secondary_center ? centred(secondary, secondary_center, others) : [];
    return Float32Array.from([...first, ...second]);
  };
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

/** The values of some bytes' dimensions around the centre, scaled so that those of both embedders weigh alike. */
function centred(values: Float32Array, center: Float32Array, bytes: readonly number[]): number[] {
  const own = bytes.flatMap((byte) => BITS.map((bit) => (values[8 * byte + bit] ?? 0) - (center[8 * byte + bit] ?? 0)));
  const length = Math.hypot(...own) || 1;
  const scale = Math.sqrt(own.length) / length;
  return own.map((value) => value * scale);
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

/** The signs of both embedders' vectors, one after the other; without a second one, that half is empty. */
export function codeOf(space: EmbedderSpace, { values, secondary }: Coded): Uint8Array {
  const first = signCode(values, space.center);
  const code = new Uint8Array(2 * first.length);
  code.set(first);
  if (secondary && space.secondary_center) code.set(signCode(secondary, space.secondary_center), first.length);
  return code;
}

/** A row's code: the signs of its vectors. */
export const codeOfRow = (space: EmbedderSpace, vectors: StoredVectors): Uint8Array => codeOf(space, codedRow(vectors));

/** What of a row's vectors is compared. */
export const codedRow = (vectors: StoredVectors): Coded => ({ values: blend(vectors), secondary: vectors.secondary });

/** The mean of a row's two vectors of the primary embedder: near to whatever either of them is near to. */
function blend({ own, context }: Pick<StoredVectors, "own" | "context">): Float32Array {
  return context ? own.map((value, i) => (value + (context[i] ?? 0)) / 2) : own;
}

/** How much a code of the index is like a question, by the question's own values. */
export function likeness(table: Float32Array, codes: Uint8Array, at = 0): number {
  let sum = 0;
  for (let byte = 0; byte < CODE_BYTES; byte++) sum += table[256 * byte + (codes[at + byte] ?? 0)] ?? 0;
  return sum;
}
