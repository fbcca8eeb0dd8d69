import type { Token } from "../lexer.ts";
import { readCount } from "./count.ts";
import { readDate } from "./date.ts";
import { readFrequency } from "./frequency.ts";
import { readMeasure } from "./measure.ts";
import { readMoney } from "./money.ts";
import { readOrdinal } from "./ordinal.ts";
import { readTime } from "./time.ts";
import type { Reader, Value } from "./value.ts";
import { readVersion } from "./version.ts";

/** Readers in order: the first that finds a value at a token takes it. */
const READERS: readonly Reader[] = [
  readDate,
  readMoney,
  readFrequency,
  readMeasure,
  readTime,
  readVersion,
  readOrdinal,
  readCount,
];
/** Values read of one text. */
const VALUES_MAX = 40;

/** The values of a text from left to right, none within another; `reference_ms` is the moment that "tomorrow" is told from. */
export function readValues(tokens: readonly Token[], reference_ms: number): Value[] {
  const values: Value[] = [];
  for (let at = 0; at < tokens.length && values.length < VALUES_MAX; ) {
    const value = valueAt(tokens, at, reference_ms);
    if (value !== null) values.push(value);
    at = value?.to ?? at + 1;
  }
  return values;
}

function valueAt(tokens: readonly Token[], at: number, reference_ms: number): Value | null {
  for (const read of READERS) {
    const found = read(tokens, at, reference_ms);
    if (found === null) continue;
    const start = tokens[at]?.start ?? 0;
    return { ...found.value, start, end: tokens[found.to - 1]?.end ?? start, from: at, to: found.to };
  }
  return null;
}
