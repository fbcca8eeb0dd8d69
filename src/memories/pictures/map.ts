import { createYielder, mapCooperatively } from "../../core/kernel/event-loop.ts";
import { preview, rounded } from "../../core/kernel/text.ts";
import { dot } from "../../core/kernel/vectors.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { MemoryFilter } from "../../core/ports/memory-filter.ts";
import type { PlacedRow } from "../../core/ports/observing/picture-rows.ts";
import { LIVE_STATUSES } from "../../core/schema/memory.ts";
import type { MapPoint, MemoryMap, MemoryMapQuery } from "../../core/schema/observing/map.ts";
import { CLUSTER_WORDS, POINT_PREVIEW } from "../../core/schema/observing/map.ts";
import { READ_MAX } from "../../text/words/tokenize.ts";
import { scopedFilter } from "../scope.ts";
import { clusterWords } from "./cluster-words.ts";
import type { Cluster } from "./k-means.ts";
import { kMeans } from "./k-means.ts";
import { principalAxes } from "./principal-axes.ts";

/** Rows read at once: a few milliseconds. */
const ROWS_PER_STEP = 100;
const CLUSTERS_MIN = 2;
const CLUSTERS_MAX = 16;
/** Clusters grow in number with the root of the points, and in size: sixteen from two thousand on. */
const POINTS_PER_SQUARE = 8;

/**
 * The newest live memories with vectors that the caller sees, clustered and drawn on a plane, with words for each cluster. Throws
 * as `scopedFilter` does. Yields to the event loop.
 */
export async function memoryMap(ctx: Ctx, query: MemoryMapQuery): Promise<MemoryMap> {
  const filter: MemoryFilter = {
    ...(await scopedFilter(ctx, query)),
    statuses: LIVE_STATUSES,
    memory_types: query.memory_type === undefined ? undefined : [query.memory_type],
  };
  const rows = await placedRows(ctx, filter, query.limit);
  const left_out = await leftOut(ctx, filter, { shown: rows.length, limit: query.limit });
  const vectors = rows.map(({ vector }) => vector);
  const clusters = await kMeans(vectors, clusterCount(rows.length));
  const places = await placesOf(vectors, clusters);
  const texts = clusters.map(({ members }) => members.flatMap((index) => textOf(rows[index])));
  const words = await clusterWords(texts, CLUSTER_WORDS);
  const clusterOf = new Map(clusters.flatMap(({ members }, id) => members.map((index) => [index, id] as const)));
  const points = await mapCooperatively(rows, (row, i) =>
    toPoint(row, { ...places[i], cluster: clusterOf.get(i) ?? 0 }),
  );
  return {
    points,
    clusters: clusters.map(({ members }, id) => ({
      id,
      size: members.length,
      words: words[id] ?? [],
      ...middleOf(members.flatMap((index) => points[index] ?? [])),
    })),
    left_out,
  };
}

async function placedRows({ storage }: Ctx, filter: MemoryFilter, most: number): Promise<PlacedRow[]> {
  const yieldIfDue = createYielder();
  const rows: PlacedRow[] = [];
  while (rows.length < most) {
    const limit = Math.min(ROWS_PER_STEP, most - rows.length);
    const part = { after: rows.at(-1) ?? null, limit, characters: READ_MAX };
    const more = await storage.pictures.placed(filter, part);
    rows.push(...more);
    if (more.length < limit) break;
    await yieldIfDue();
  }
  return rows;
}

async function leftOut(
  { storage }: Ctx,
  filter: MemoryFilter,
  { shown, limit }: { readonly shown: number; readonly limit: number },
): Promise<MemoryMap["left_out"]> {
  const left = Math.max(0, (await storage.memories.count(filter)) - shown);
  // Nothing lies beyond a limit that was not reached.
  if (shown < limit) return { without_vector: left, beyond_limit: 0 };
  const without_vector = await storage.memories.countPending(filter, Number.MAX_SAFE_INTEGER);
  return { without_vector, beyond_limit: Math.max(0, left - without_vector) };
}

const clusterCount = (points: number): number =>
  Math.min(CLUSTERS_MAX, Math.max(CLUSTERS_MIN, Math.round(Math.sqrt(points / POINTS_PER_SQUARE))));

const textOf = (row: PlacedRow | undefined): string[] => (row ? [`${row.title ?? ""}\n${row.content}`] : []);

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Each vector on the plane in which the clusters lie farthest apart, filling -1 to 1 both ways. */
async function placesOf(vectors: readonly Float32Array[], clusters: readonly Cluster[]): Promise<Place[]> {
  const centers = clusters.map(({ center, members }) => ({ center, weight: members.length }));
  const [first, second] = await principalAxes(centers, vectors);
  const projected = await mapCooperatively(vectors, (vector) => ({ x: dot(vector, first), y: dot(vector, second) }));
  const across = filling(projected.map(({ x }) => x));
  const up = filling(projected.map(({ y }) => y));
  return vectors.map((_, i) => ({ x: across[i] ?? 0, y: up[i] ?? 0 }));
}

function filling(values: readonly number[]): number[] {
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return values.map((value) => (most > least ? (2 * (value - least)) / (most - least) - 1 : 0));
}

const toPoint = (
  { id, title, content, memory_type, created_at }: PlacedRow,
  { x = 0, y = 0, cluster }: Partial<Place> & { readonly cluster: number },
): MapPoint => ({
  id,
  x: rounded(x),
  y: rounded(y),
  cluster,
  preview: preview((title ?? content).replace(/\s+/g, " ").trim(), POINT_PREVIEW),
  memory_type,
  created_at,
});

function middleOf(points: readonly Place[]): Place {
  const mean = (values: readonly number[]) => rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
  return { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
}
