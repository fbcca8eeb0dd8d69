import { z } from "zod";

/** A look at a vector without its numbers. */
export const EmbeddingStats = z
  .object({ dimensions: z.int(), min: z.number(), max: z.number(), mean: z.number(), non_zero: z.int() })
  .meta({ id: "EmbeddingStats" });
export type EmbeddingStats = z.infer<typeof EmbeddingStats>;
