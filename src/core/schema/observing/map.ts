import { z } from "zod";
import { countedText } from "../common.ts";
import { MemoryType } from "../memory.ts";
import { PictureQuery } from "./picture.ts";

/** Words that name a cluster, at most. */
export const CLUSTER_WORDS = 4;
/** Characters of a memory that a point shows. */
export const POINT_PREVIEW = 80;

export const MemoryMapQuery = PictureQuery.extend({
  memory_type: countedText(0, 100).optional(),
  limit: z.int().min(50).max(2_000).default(1_000).describe("The newest so many are shown."),
});
export type MemoryMapQuery = z.infer<typeof MemoryMapQuery>;

const Coordinate = z.number().min(-1).max(1);

export const MapPoint = z.object({
  id: z.string().meta({ format: "uuid" }),
  x: Coordinate,
  y: Coordinate,
  cluster: z.int().describe("`id` of its cluster."),
  preview: z.string().describe("Its title, or how it begins."),
  memory_type: MemoryType,
  created_at: z.string().meta({ format: "date-time" }),
});
export type MapPoint = z.infer<typeof MapPoint>;

export const MapCluster = z.object({
  id: z.int(),
  size: z.int(),
  words: z.array(z.string()).max(CLUSTER_WORDS).describe("Common in it and rare elsewhere, as most often written."),
  x: Coordinate.describe("The middle of its points."),
  y: Coordinate,
});
export type MapCluster = z.infer<typeof MapCluster>;

export const MemoryMap = z
  .object({
    points: z.array(MapPoint).describe("Live memories, newest first; what is alike lies together."),
    clusters: z.array(MapCluster).describe("Largest first."),
    left_out: z.object({
      without_vector: z
        .int()
        .describe(
          "Live memories that wait for their vectors and, where the limit is not reached, those that the model cannot read.",
        ),
      beyond_limit: z.int().describe("Others that the limit leaves out."),
    }),
  })
  .meta({ id: "MemoryMap" });
export type MemoryMap = z.infer<typeof MemoryMap>;
