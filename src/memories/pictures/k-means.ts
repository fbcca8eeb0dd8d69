import { createYielder } from "../../core/kernel/event-loop.ts";
import { dot } from "../../core/kernel/vectors.ts";

/** Points that lie together. */
export interface Cluster {
  /** Their indexes, in order; never empty. */
  readonly members: readonly number[];
  /** Their mean. */
  readonly center: Float32Array;
}

/** Rounds after which it ends though points still change sides: by then few do. */
const ROUNDS_MAX = 15;
/** Points that are tried for each first center. */
const TRIALS = 3;
/** The fractional parts of its multiples lie evenly between 0 and 1 (Weyl 1916): draws without chance. */
const GOLDEN_RATIO = 0.6180339887498949;

/**
 * At most `k` clusters of points, largest first, by Lloyd's algorithm ("Least Squares Quantization in PCM", 1982) from centers
 * of greedy k-means++ (Arthur and Vassilvitskii, "k-means++: The Advantages of Careful Seeding", 2007). The same points in the
 * same order give the same clusters. Yields to the event loop.
 */
export async function kMeans(points: readonly Float32Array[], k: number): Promise<Cluster[]> {
  const yieldIfDue = createYielder();
  const chosen = await firstCenters(points, k, yieldIfDue);
  let clusters: Cluster[] = chosen.map((center) => ({ members: [], center }));
  let places: Int32Array | null = null;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = await nearestCenters(points, clusters, yieldIfDue);
    if (places && isSame(places, next)) break;
    places = next;
    clusters = await regrouped(points, places, yieldIfDue);
  }
  return clusters.sort((a, b) => b.members.length - a.members.length || (a.members[0] ?? 0) - (b.members[0] ?? 0));
}

type Yield = () => Promise<void>;

/** Fewer than `k` where no more points differ. */
async function firstCenters(points: readonly Float32Array[], k: number, yieldIfDue: Yield): Promise<Float32Array[]> {
  const [first] = points;
  if (!first) return [];
  const centers = [first];
  let distances: Float64Array = await distancesTo(first, points, null, yieldIfDue);
  let draws = 0;
  while (centers.length < k && sumOf(distances) > SAME) {
    let best: { center: Float32Array; distances: Float64Array; left: number } | null = null;
    for (let trial = 0; trial < TRIALS; trial++) {
      const center = points[indexAt(distances, (++draws * GOLDEN_RATIO) % 1)] ?? first;
      const nearer = await distancesTo(center, points, distances, yieldIfDue);
      const left = sumOf(nearer);
      if (!best || left < best.left) best = { center, distances: nearer, left };
    }
    if (!best) break;
    centers.push(best.center);
    distances = best.distances;
  }
  return centers;
}

/** Squared distances that come to less are rounding. */
const SAME = 1e-6;

/** The squared distance of each point to a center, or to one that is nearer. */
async function distancesTo(
  center: Float32Array,
  points: readonly Float32Array[],
  nearest: Float64Array | null,
  yieldIfDue: Yield,
): Promise<Float64Array> {
  const distances = new Float64Array(points.length);
  const length = dot(center, center);
  for (const [i, point] of points.entries()) {
    const distance = Math.max(0, dot(point, point) - 2 * dot(point, center) + length);
    distances[i] = Math.min(distance, nearest?.[i] ?? Number.POSITIVE_INFINITY);
    await yieldIfDue();
  }
  return distances;
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** The point at a share of all distances: the farther it is, the likelier. */
function indexAt(distances: Float64Array, share: number): number {
  let left = share * sumOf(distances);
  return distances.findIndex((distance) => {
    left -= distance;
    return left < 0;
  });
}

async function nearestCenters(
  points: readonly Float32Array[],
  clusters: readonly Cluster[],
  yieldIfDue: Yield,
): Promise<Int32Array> {
  const places = new Int32Array(points.length);
  // |x - c|² less |x|², which is the same for all centers.
  const lengths = clusters.map(({ center }) => dot(center, center));
  for (const [i, point] of points.entries()) {
    let least = Number.POSITIVE_INFINITY;
    for (const [place, { center }] of clusters.entries()) {
      const distance = (lengths[place] ?? 0) - 2 * dot(point, center);
      if (distance >= least) continue;
      least = distance;
      places[i] = place;
    }
    await yieldIfDue();
  }
  return places;
}

const isSame = (a: Int32Array, b: Int32Array): boolean => a.every((place, i) => place === b[i]);

/** Clusters of the points by their places; places that nobody has are gone. */
async function regrouped(points: readonly Float32Array[], places: Int32Array, yieldIfDue: Yield): Promise<Cluster[]> {
  const groups = Map.groupBy(points.keys(), (index) => places[index] ?? 0);
  const clusters: Cluster[] = [];
  for (const [, members] of [...groups].sort(([a], [b]) => a - b)) {
    clusters.push({
      members,
      center: meanOf(members.map((index) => points[index]).filter((point) => point !== undefined)),
    });
    await yieldIfDue();
  }
  return clusters;
}

function meanOf(points: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(points[0]?.length ?? 0);
  for (const point of points) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (point[i] ?? 0);
  return Float32Array.from(sum, (value) => value / points.length);
}
