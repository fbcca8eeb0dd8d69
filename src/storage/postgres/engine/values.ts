import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";

// Values that drivers would bind in ways of their own are bound as texts, and made what they are where they arrive. Of lists
// this is done once a statement: a cast of a whole list would be done again for each row that it is compared with.

/** Several texts as one bound value. */
export function textArray(values: readonly string[]): SQL {
  const text = values.join("");
  const separator = SEPARATORS.find((one) => !text.includes(one));
  // An empty text has no elements.
  if (separator === undefined || (text === "" && values.length === 1))
    return sql`${literal(values.map(quoted))}::text::text[]`;
  return sql`string_to_array(${values.join(separator)}::text, ${separator}::text)`;
}

/** Several whole numbers as one bound value. */
export const intArray = (values: readonly number[]): SQL =>
  sql`string_to_array(${values.join(",")}::text, ',')::bigint[]`;

/** A vector as one bound value. */
export const vectorValue = (values: Float32Array): SQL => sql`${vectorText(values)}::text::vector`;

/** The same, or null. */
export const vectorOrNull = (values: Float32Array | null | undefined): SQL =>
  sql`${values ? vectorText(values) : null}::text::vector`;

/** A vector as pgvector reads it; each number as it is, in the shortest form that says so. */
export const vectorText = (values: Float32Array): string => `[${values.join(",")}]`;

/** JSON as one bound value. */
export const jsonValue = (value: unknown): SQL => sql`${value == null ? null : JSON.stringify(value)}::text::json`;

/** Several records as rows of a table, for `from jsonb_to_recordset(...) as t (name type, ...)`-like statements. */
export const recordsValue = (records: readonly object[]): SQL => sql`${JSON.stringify(records)}::text::json`;

/** Characters that texts seldom hold. */
const SEPARATORS = ["\u001f", "\u001e", "\u001d", "\u001c"] as const;
const literal = (values: readonly string[]): string => `{${values.join(",")}}`;
const quoted = (value: string): string => `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** SQL of a vector's bytes, for `vectorIn`: its text would take several times as long to read. */
export const sentVector = (column: SQL): SQL => sql`encode(vector_send(${column}), 'base64')`;
