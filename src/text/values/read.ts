import type { Token } from "../claims/lexer.ts";
import { readCount } from "./count.ts";
import { monthOf, weekdayOf } from "./date-arithmetic.ts";
import { readDate } from "./date-value.ts";
import { readFrequency } from "./frequency.ts";
import { readMeasure } from "./measure.ts";
import { isCurrency, readMoney } from "./money.ts";
import { readOrdinal } from "./ordinal.ts";
import { readTime } from "./time.ts";
import type { Value, ValueMatch, ValueReader } from "./value.ts";
import { readVersion } from "./version.ts";

/** Readers in order: the first that finds a value at a token takes it. */
const READERS: readonly ValueReader[] = [
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
  for (let index = 0; index < tokens.length && values.length < VALUES_MAX; ) {
    const token = tokens[index];
    const found = token && mayStart(token) ? readAt(tokens, index, reference_ms) : null;
    if (found?.value) values.push(placed(tokens, index, found.value, found.to));
    index = found?.to ?? index + 1;
  }
  return withRanges(tokens, values);
}

/** "Between 30 and 39", "5 to 7", "9-17": two values that are the ends of one. */
function withRanges(tokens: readonly Token[], values: readonly Value[]): Value[] {
  const merged: Value[] = [];
  for (const value of values) {
    const low = merged.at(-1);
    if (low === undefined || low.high !== undefined || !isRange(tokens, low, value)) {
      merged.push(value);
      continue;
    }
    merged[merged.length - 1] = {
      ...value,
      amount: low.amount ?? 0,
      high: value.amount ?? 0,
      key: `${low.key} to ${value.key}`,
      start: low.start,
      from: low.from,
    };
  }
  return merged;
}

function isRange(tokens: readonly Token[], low: Value, high: Value): boolean {
  if (low.kind !== high.kind || low.amount === undefined || high.amount === undefined || low.amount >= high.amount)
    return false;
  if (low.kind === "version" || (low.dimension !== high.dimension && low.dimension !== "") || high.from - low.to !== 1)
    return false;
  const joint = tokens[low.to]?.lower ?? "";
  const before = tokens[low.from - 1]?.lower ?? "";
  if (joint === "and") return before === "between";
  return joint === "-" || joint === "–" || ((joint === "to" || joint === "until") && before !== "from");
}

/** Words that a value in words may begin with. */
const STARTERS: ReadonlySet<string> = new Set(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty thirty forty fifty sixty seventy eighty ninety a an half third quarter every each once twice thrice hourly
  daily nightly weekly biweekly fortnightly monthly bimonthly quarterly yearly annually annual noon midday midnight yesterday
  today tonight tomorrow last this next in weekdays workdays weekends weekend spring summer autumn winter fall first second
  fourth fifth sixth seventh eighth ninth tenth eleventh twelfth`.split(/\s+/),
);

/** Most words begin no value, which is quick to see. */
const mayStart = ({ kind, lower }: Token): boolean => {
  if (kind === "word") {
    return (
      STARTERS.has(lower) ||
      monthOf(lower) !== undefined ||
      weekdayOf(lower) !== undefined ||
      isCurrency(lower) ||
      /^(?:q[1-4]|fy\d+)$/.test(lower)
    );
  }
  return kind !== "mark" || isCurrency(lower) || /^\p{Sc}$/u.test(lower);
};

function readAt(tokens: readonly Token[], index: number, reference_ms: number): ValueMatch | null {
  for (const read of READERS) {
    const found = read(tokens, index, reference_ms);
    if (found !== null) return found;
  }
  return null;
}

function placed(tokens: readonly Token[], from: number, value: NonNullable<ValueMatch["value"]>, to: number): Value {
  const start = tokens[from]?.start ?? 0;
  return { ...value, start, end: tokens[to - 1]?.end ?? start, from, to };
}
