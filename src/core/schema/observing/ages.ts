import { z } from "zod";
import { MemoryType } from "../memory.ts";

/** Ages end before so many days: a day, a week, a month, a quarter, half a year and a year. */
export const AGE_BOUNDS = [1, 7, 30, 91, 182, 365] as const;

const figures = {
  total: z.int(),
  recalled: z.int().describe("Those that an agent ever got from a search or a recall."),
  mean_freshness: z.number().nullable().describe("As ranking sees it, 0 to 1; null without any."),
};

export const AgeBucket = z.object({
  up_to_days: z
    .union(AGE_BOUNDS.map((bound) => z.literal(bound)))
    .nullable()
    .describe("Younger than so many days, and not in a bucket before; null for all older ones."),
  ...figures,
  by_type: z.array(z.object({ memory_type: MemoryType, ...figures })).describe("Types that there are, most first."),
});
export type AgeBucket = z.infer<typeof AgeBucket>;

export const MemoryAges = z
  .object({
    buckets: z.array(AgeBucket).describe("Live memories by the time since they were written, youngest first."),
    decay: z
      .array(
        z.object({
          memory_type: MemoryType,
          days: z.int().describe("Days in which it loses its freshness, evenly; one with an end keeps it up to then."),
        }),
      )
      .describe("Of the types that there are, in the order of their names."),
  })
  .meta({ id: "MemoryAges" });
export type MemoryAges = z.infer<typeof MemoryAges>;
