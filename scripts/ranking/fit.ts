import type { RowKind } from "../../src/search/row-kinds.ts";
import { ROW_KINDS } from "../../src/search/row-kinds.ts";
import type { Signal } from "../../src/search/signals.ts";
import { SIGNALS } from "../../src/search/signals.ts";
import type { RankingWeights } from "../../src/search/weights.ts";
import type { Row } from "./rows.ts";

/** The rows that one question found, and what the question counts. */
export interface Example {
  readonly rows: readonly Row[];
  readonly weight: number;
}

/** Signals that no set tells anything of keep the weight they have. */
const KEPT: ReadonlySet<Signal> = new Set(["entity", "related", "fresh", "recent", "conflicted", "overtaken"]);
/** The only row with the one name or code of a question goes before what merely means the like. */
const SOLE_MIN = 2;
/** Names are worth something in any store, whatever questions in other words make of them; no set loses by so little. */
const NAMES_MIN = 0.02;
const LEAST: ReadonlyMap<Signal, number> = new Map([
  ["sole", SOLE_MIN],
  ["names", NAMES_MIN],
]);
/** Signals that may count against a row; every other speaks for it or not at all. */
const EITHER_WAY: ReadonlySet<Signal> = new Set(["length"]);
const AGAINST: ReadonlySet<Signal> = new Set(["asks"]);
/** A word in the row counts as much as one beside it, and a cosine of its own as much as one beside another row. */
const AT_MOST: readonly (readonly [Signal, Signal])[] = [
  ["nearby", "words"],
  ["context", "meaning"],
];

const STEPS = 600;
const RATE = 0.05;
/** Pull towards nothing, in standard deviations of a signal. */
const RIDGE = 2e-4;

/** Places of weights: all signals of a kind of row, then its bias. Statements and texts differ in few of them. */
const WIDTH = SIGNALS.length + 1;
const SLOTS = ROW_KINDS.length * WIDTH;
const BIAS = SIGNALS.length;
const APART: ReadonlySet<number> = new Set([
  ...(["meaning", "words", "share", "covered", "names", "figure"] as const).map((signal) => SIGNALS.indexOf(signal)),
  BIAS,
]);
const [STATEMENT, TEXT] = [ROW_KINDS.indexOf("statement"), ROW_KINDS.indexOf("text")];
const slotOf = (kind: number, signal: number): number =>
  (kind === TEXT && !APART.has(signal) ? STATEMENT : kind) * WIDTH + signal;

/** A question's rows as numbers, each signal in units of its own spread. */
interface Prepared {
  readonly kinds: Uint8Array;
  readonly values: Float64Array;
  readonly kept: Float64Array;
  readonly gold: readonly number[];
  readonly weight: number;
}

/**
 * Weights under which the rows that answer are the likeliest of all that a question found: softmax over its rows (ListNet, Cao
 * et al. 2007, in part for any and in part for every answer), by Adam within bounds, so that more evidence never lowers a row.
 */
export function fitWeights(examples: readonly Example[], from: RankingWeights): RankingWeights {
  const answered = examples.filter(({ rows }) => rows.some(({ isGold }) => isGold));
  const spread = spreads(answered);
  const prepared = answered.map((example) => prepare(example, spread, from));
  const weights = new Float64Array(SLOTS);
  const [mean, square] = [new Float64Array(SLOTS), new Float64Array(SLOTS)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = gradientAt(weights, prepared);
    const rate = RATE * Math.min(1, 2 * (1 - (step - 1) / STEPS));
    for (let i = 0; i < SLOTS; i++) {
      const g = (gradient[i] ?? 0) + 2 * RIDGE * (weights[i] ?? 0);
      mean[i] = 0.9 * (mean[i] ?? 0) + 0.1 * g;
      square[i] = 0.999 * (square[i] ?? 0) + 0.001 * g * g;
      const [m, v] = [(mean[i] ?? 0) / (1 - 0.9 ** step), (square[i] ?? 0) / (1 - 0.999 ** step)];
      weights[i] = (weights[i] ?? 0) - (rate * m) / (Math.sqrt(v) + 1e-8);
    }
    withinBounds(weights, spread);
  }
  return toTable(weights, spread, from);
}

function spreads(examples: readonly Example[]): Float64Array {
  const [count, sum, squares] = [new Float64Array(SLOTS), new Float64Array(SLOTS), new Float64Array(SLOTS)];
  for (const { rows } of examples)
    for (const { kind, signals } of rows)
      for (const [i, signal] of SIGNALS.entries()) {
        const slot = slotOf(ROW_KINDS.indexOf(kind), i);
        count[slot] = (count[slot] ?? 0) + 1;
        sum[slot] = (sum[slot] ?? 0) + signals[signal];
        squares[slot] = (squares[slot] ?? 0) + signals[signal] ** 2;
      }
  return count.map((n, slot) => {
    if (slot % WIDTH === BIAS) return 1;
    if (n === 0) return 0;
    const mean = (sum[slot] ?? 0) / n;
    return Math.sqrt(Math.max(0, (squares[slot] ?? 0) / n - mean * mean));
  });
}

/** Signals that hardly vary tell nothing, whatever their weight. */
const SPREAD_MIN = 1e-3;

function prepare({ rows, weight }: Example, spread: Float64Array, from: RankingWeights): Prepared {
  const values = new Float64Array(rows.length * WIDTH);
  const kinds = Uint8Array.from(rows, ({ kind }) => ROW_KINDS.indexOf(kind));
  const kept = Float64Array.from(rows, ({ kind, signals }) =>
    [...KEPT].reduce((total, signal) => total + from.signals[kind][signal] * signals[signal], 0),
  );
  for (const [index, { kind, signals }] of rows.entries()) {
    for (const [i, signal] of SIGNALS.entries()) {
      const by = spread[slotOf(ROW_KINDS.indexOf(kind), i)] ?? 0;
      values[index * WIDTH + i] = KEPT.has(signal) || by < SPREAD_MIN ? 0 : signals[signal] / by;
    }
    values[index * WIDTH + BIAS] = 1;
  }
  return { kinds, values, kept, gold: rows.flatMap(({ isGold }, i) => (isGold ? [i] : [])), weight };
}

function gradientAt(weights: Float64Array, prepared: readonly Prepared[]): Float64Array {
  const gradient = new Float64Array(SLOTS);
  for (const { kinds, values, kept, gold, weight } of prepared) {
    const totals = kept.map((own, row) => {
      let total = own;
      for (let i = 0; i < WIDTH; i++)
        total += (weights[slotOf(kinds[row] ?? 0, i)] ?? 0) * (values[row * WIDTH + i] ?? 0);
      return total;
    });
    const highest = totals.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const chances = totals.map((total) => Math.exp(total - highest));
    const all = chances.reduce((a, b) => a + b, 0);
    const golden = gold.reduce((sum, row) => sum + (chances[row] ?? 0), 0);
    const push = chances.map((chance) => chance / all);
    // Half of the loss asks for every answer, half for any of them.
    for (const row of gold)
      push[row] = (push[row] ?? 0) - 0.5 / gold.length - (0.5 * (chances[row] ?? 0)) / Math.max(golden, 1e-12);
    for (let row = 0; row < push.length; row++) {
      const by = weight * (push[row] ?? 0);
      for (let i = 0; i < WIDTH; i++) {
        const slot = slotOf(kinds[row] ?? 0, i);
        gradient[slot] = (gradient[slot] ?? 0) + by * (values[row * WIDTH + i] ?? 0);
      }
    }
  }
  return gradient;
}

/** What a row merely looks like never outvotes what it means: few questions of the sets ask so. */
const LOOKS: ReadonlySet<Signal> = new Set(["person", "reason", "figure", "timed"]);
const LOOKS_MAX = 2;

function bounded(weight: number, signal: Signal, spread: number): number {
  const least = (LEAST.get(signal) ?? 0) * spread;
  const most = LOOKS.has(signal) ? LOOKS_MAX * spread : Number.POSITIVE_INFINITY;
  return Math.min(most, Math.max(least, weight));
}

function withinBounds(weights: Float64Array, spread: Float64Array): void {
  for (const kind of ROW_KINDS.keys()) {
    for (const [i, signal] of SIGNALS.entries()) {
      const slot = slotOf(kind, i);
      if (AGAINST.has(signal)) weights[slot] = Math.min(0, weights[slot] ?? 0);
      else if (!EITHER_WAY.has(signal)) weights[slot] = bounded(weights[slot] ?? 0, signal, spread[slot] ?? 0);
    }
    for (const pair of AT_MOST) meet(weights, spread, kind, pair);
  }
}

/** Brings the weights of two signals together where the one that may be no heavier is. */
function meet(weights: Float64Array, spread: Float64Array, kind: number, pair: (typeof AT_MOST)[number]): void {
  const slots = pair.map((signal) => slotOf(kind, SIGNALS.indexOf(signal)));
  const unit = (slot: number): number => spread[slot] || 1;
  const [lower = 0, upper = 0] = slots.map((slot) => (weights[slot] ?? 0) / unit(slot));
  if (lower > upper) for (const slot of slots) weights[slot] = ((lower + upper) / 2) * unit(slot);
}

function toTable(weights: Float64Array, spread: Float64Array, from: RankingWeights): RankingWeights {
  const perKind = <T>(of: (kind: number, name: RowKind) => T): Record<RowKind, T> => ({
    turn: of(0, "turn"),
    statement: of(1, "statement"),
    text: of(2, "text"),
  });
  const weightOf = (kind: number, name: RowKind, signal: Signal): number => {
    const slot = slotOf(kind, SIGNALS.indexOf(signal));
    const by = spread[slot] ?? 0;
    if (KEPT.has(signal)) return from.signals[name][signal];
    return by < SPREAD_MIN ? 0 : rounded((weights[slot] ?? 0) / by);
  };
  return {
    ...from,
    signals: perKind((kind, name) => ({
      ...from.signals[name],
      ...Object.fromEntries(SIGNALS.map((signal) => [signal, weightOf(kind, name, signal)])),
    })),
    bias: perKind((kind) => rounded(weights[slotOf(kind, BIAS)] ?? 0)),
  };
}

const rounded = (value: number): number => Number(value.toFixed(3));

/** Values and what they were seen with. */
export interface Labelled {
  readonly values: readonly number[];
  readonly isTrue: boolean;
  readonly weight: number;
}

const LOGISTIC_STEPS = 4_000;
const LOGISTIC_RATE = 0.3;

/** Bias and weights of the log-odds of what is true, by gradient descent on values in units of their spread. */
export function fitLogistic(examples: readonly Labelled[]): number[] {
  const width = examples[0]?.values.length ?? 0;
  const all = examples.reduce((sum, { weight }) => sum + weight, 0);
  const columns = Array.from({ length: width }, (_, i) => i);
  const meanOf = (value: (one: Labelled) => number): number =>
    examples.reduce((sum, one) => sum + one.weight * value(one), 0) / all;
  const mean = columns.map((i) => meanOf(({ values }) => values[i] ?? 0));
  const spread = columns.map((i) => Math.sqrt(meanOf(({ values }) => ((values[i] ?? 0) - (mean[i] ?? 0)) ** 2)) || 1);
  const rows = examples.map(({ values, ...rest }) => ({
    ...rest,
    values: [1, ...columns.map((i) => ((values[i] ?? 0) - (mean[i] ?? 0)) / (spread[i] ?? 1))],
  }));
  const weights = new Float64Array(width + 1);
  for (let step = 0; step < LOGISTIC_STEPS; step++) {
    const gradient = new Float64Array(width + 1);
    for (const { values, isTrue, weight } of rows) {
      const total = values.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0);
      const error = (weight * (1 / (1 + Math.exp(-total)) - (isTrue ? 1 : 0))) / all;
      for (const [i, value] of values.entries()) gradient[i] = (gradient[i] ?? 0) + error * value;
    }
    for (const [i, g] of gradient.entries()) weights[i] = (weights[i] ?? 0) - LOGISTIC_RATE * g;
  }
  const own = columns.map((i) => (weights[i + 1] ?? 0) / (spread[i] ?? 1));
  const bias = (weights[0] ?? 0) - own.reduce((sum, weight, i) => sum + weight * (mean[i] ?? 0), 0);
  return [bias, ...own].map(rounded);
}
