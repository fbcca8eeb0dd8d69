import { sql } from "drizzle-orm";
import type { IndexCodes, StoredVectors } from "../../common/index-codes.ts";
import { CODE_BYTES, CODED_VALUES, codeOfRow, comparedOf } from "../../common/index-codes.ts";
import type { EmbedderSpace } from "../../options.ts";

/** The type of codes of memories. */
export const BITS = sql.raw(`bit(${8 * CODE_BYTES})`);

/** The bits of some bytes as a text, highest first. */
export const bitText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");

/** The code of a row as it is stored: the signs of what is compared; null where that is nothing. */
export function rowCode(
  space: EmbedderSpace,
  codes: Pick<IndexCodes, "reduce">,
  vectors: StoredVectors,
): string | null {
  const code = codeOfRow(space, vectors);
  return code && bitText(codes.reduce(code));
}

/** The type of what memories are found by, where an index finds them. */
export const VALUES = sql.raw(`vector(${CODED_VALUES})`);

/** Decimals of a number: half a precision has no more. */
const DECIMALS = 3;

/** What a code has the signs of, as pgvector reads it. */
export const valuesText = (codes: Pick<IndexCodes, "values">, coded: Float32Array): string =>
  `[${Array.from(codes.values(coded), (value) => value.toFixed(DECIMALS)).join(",")}]`;

/** The same of a row, as it is stored. */
export function rowValues(codes: Pick<IndexCodes, "values">, vectors: StoredVectors): string | null {
  const compared = comparedOf(vectors);
  return compared && valuesText(codes, compared);
}

/** Bytes before the bits of a code as Postgres sends it: how many bits there are. */
const HEADER_BYTES = 4;

/** The bytes of a code that was selected as `encode(varbit_send(code), 'base64')`. */
export const codeFrom = (sent: string): Uint8Array => Buffer.from(sent, "base64").subarray(HEADER_BYTES);

/** The signs of a vector around `center`, a bit a dimension. */
export function signs(vector: Float32Array, center: Float32Array): string {
  let bits = "";
  for (let i = 0; i < vector.length; i++) bits += (vector[i] ?? 0) > (center[i] ?? 0) ? "1" : "0";
  return bits;
}
