import { createYielder } from "../../core/kernel/event-loop.ts";
import { dot } from "../../core/kernel/vectors.ts";

/** A point that counts so many times. */
export interface Weighted {
  readonly center: Float32Array;
  readonly weight: number;
}

/** Multiplications by the matrix of scatter: far more than a picture needs. */
const ROUNDS = 40;
/** Shares of a unit that are rounding. */
const NOTHING = 1e-6;

/**
 * The two axes along which some points vary most: principal components (Pearson 1901, Hotelling 1933) by
 * power iteration, the second kept at a right angle to the first (Golub and Van Loan, "Matrix Computations", 8.2). Where the
 * points vary along fewer axes, as two do, those of `more` points make up for it. Axes along which nothing varies are all zero.
 * Yields to the event loop.
 */
export async function principalAxes(
  points: readonly Weighted[],
  more: readonly Float32Array[],
): Promise<readonly [Float32Array, Float32Array]> {
  const mean = meanOf(points);
  const first = await axisOf(points, mean, null);
  const rest = more.map((center) => ({ center, weight: 1 }));
  const second = (await axisOf(points, mean, first)) ?? (await axisOf(rest, mean, first));
  const none = new Float32Array(mean.length);
  return [first ?? none, second ?? none];
}

function meanOf(points: readonly Weighted[]): Float32Array {
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  const mean = new Float32Array(points[0]?.center.length ?? 0);
  for (const { center, weight } of points) addTo(mean, center, weight / total);
  return mean;
}

function addTo(sum: Float32Array, vector: Float32Array, share: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + share * (vector[i] ?? 0);
}

/** The unit vector along which points vary most around a middle, at a right angle to another; null where they do not vary. */
async function axisOf(points: readonly Weighted[], middle: Float32Array, other: Float32Array | null) {
  const yieldIfDue = createYielder();
  const offsets: Weighted[] = [];
  for (const { center, weight } of points) {
    const offset = Float32Array.from(center);
    addTo(offset, middle, -1);
    if (other) addTo(offset, other, -dot(offset, other));
    offsets.push({ center: offset, weight });
    await yieldIfDue();
  }
  // From the point that alone varies most, so that no chance is needed and the start is not at a right angle to the axis.
  const scatter = ({ center, weight }: Weighted): number => weight * dot(center, center);
  const [start] = [...offsets].sort((a, b) => scatter(b) - scatter(a));
  let axis = start ? unit(start.center) : null;
  for (let round = 0; axis !== null && round < ROUNDS; round++) {
    const next = new Float32Array(axis.length);
    for (const { center, weight } of offsets) {
      addTo(next, center, weight * dot(center, axis));
      await yieldIfDue();
    }
    axis = unit(next);
  }
  return axis;
}

function unit(vector: Float32Array): Float32Array | null {
  const length = Math.sqrt(dot(vector, vector));
  return length < NOTHING ? null : vector.map((value) => value / length);
}
