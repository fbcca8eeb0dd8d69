import { readDates } from "../dates/read-dates.ts";
import type { Token } from "../words/tokenize.ts";
import { tokenize } from "../words/tokenize.ts";
import { readCount } from "./count.ts";
import { readFrequency } from "./frequency.ts";
import { readMeasure } from "./measure.ts";
import { isCurrency, readMoney } from "./money.ts";
import { readOrdinal } from "./ordinal.ts";
import { readTime } from "./time.ts";
import { inBase, unitOf } from "./units.ts";
import type { Value, ValueMatch, ValueReader } from "./value.ts";
import { readVersion } from "./version.ts";

/** Readers in order: the first that finds a value at a token takes it. */
const READERS: readonly ValueReader[] = [
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

/** A text in tokens, with its values from left to right, none within another. */
export interface ReadText {
  readonly tokens: readonly Token[];
  readonly values: readonly Value[];
}

/** Reads the values of a text; `reference_ms` is the moment that "tomorrow" is told from. */
export function readValues(text: string, reference_ms: number): ReadText {
  const tokens = tokenize(text);
  const values: Value[] = [];
  const dates = datesAmong(text, tokens, reference_ms);
  for (let index = 0; index < tokens.length && values.length < VALUES_MAX; ) {
    const date = dates.get(index);
    const token = tokens[index];
    const found = !date && token && mayStart(token) ? readAt(tokens, index) : null;
    if (date) values.push(date);
    else if (found?.value) values.push(placed(tokens, index, found.value, found.to));
    index = date?.to ?? found?.to ?? index + 1;
  }
  return { tokens, values: withRanges(tokens, values) };
}

/** The dates of a text by the first of their tokens. */
function datesAmong(text: string, tokens: readonly Token[], reference: number): ReadonlyMap<number, Value> {
  return new Map(
    readDates(text, { reference, lean: "near" }).flatMap(({ span: { start, end }, named: window }) => {
      const from = tokens.findIndex((token) => token.start >= start);
      const to = tokens.findLastIndex((token) => token.end <= end) + 1;
      const [first, last] = [window.start, window.end - 1].map((ms) => new Date(ms).toISOString().slice(0, 10));
      const key = first === last ? `${first}` : `${first} to ${last}`;
      return from < 0 || to <= from ? [] : [[from, { kind: "date", key, window, start, end, from, to }] as const];
    }),
  );
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
      amount: inUnitOf(low, value),
      high: value.amount ?? 0,
      key: `${low.key} to ${value.key}`,
      start: low.start,
      from: low.from,
    };
  }
  return merged;
}

/** The lower end in the base unit: of "5-7 km" the unit stands at the upper end alone. */
function inUnitOf({ amount = 0, dimension }: Value, { unit, dimension: wanted }: Value): number {
  const known = dimension === "" && wanted !== "" && unit !== undefined ? unitOf(unit) : undefined;
  return known ? inBase(amount, known) : amount;
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
  daily nightly weekly biweekly fortnightly monthly bimonthly quarterly yearly annually annual noon midday midnight first second
  fourth fifth sixth seventh eighth ninth tenth eleventh twelfth`.split(/\s+/),
);

/** Most words begin no value, which is quick to see. */
const mayStart = ({ kind, lower }: Token): boolean => {
  if (kind === "word") return STARTERS.has(lower) || isCurrency(lower);
  return kind !== "mark" || isCurrency(lower) || /^\p{Sc}$/u.test(lower);
};

function readAt(tokens: readonly Token[], index: number): ValueMatch | null {
  for (const read of READERS) {
    const found = read(tokens, index);
    if (found !== null) return found;
  }
  return null;
}

function placed(tokens: readonly Token[], from: number, value: NonNullable<ValueMatch["value"]>, to: number): Value {
  const start = tokens[from]?.start ?? 0;
  return { ...value, start, end: tokens[to - 1]?.end ?? start, from, to };
}
