import { z } from "zod";
import { AgentId, instant, listOf, TenantId, Uuid } from "../common.ts";

/** Rows that one report names, of each kind. */
export const TOLD_MAX = 50;
/** Watched tellings from which a row that was never taken up gives way, and from which it gives way no further. */
const SINKS_FROM = 5;
const SUNK_AT = 25;
/** What is left of the score then. */
const LEAST_KEPT = 0.5;

/** What a search says that it is told unasked. */
export const SinkUnused = z
  .boolean()
  .describe(
    `For what is told unasked, as by hooks: memories that were told more than ${SINKS_FROM} times where it could be seen that nobody took them up score ` +
      `less, down to half of it from ${SUNK_AT} times on, and min_score holds for that. False unless given.`,
  );

export const ToldReport = z
  .object({
    tenant_id: TenantId,
    agent_id: AgentId.nullish().describe("Who was told: its own private memories count, too."),
    told: listOf(Uuid, TOLD_MAX).default([]).describe("Memories that a model was told unasked."),
    watched: listOf(Uuid, TOLD_MAX)
      .default([])
      .describe("Those told before of which it can be seen by now whether they were taken up, each telling once."),
    used: listOf(Uuid, TOLD_MAX).default([]).describe("Those told before that were taken up since, each telling once."),
  })
  .meta({ id: "ToldReport" });
export type ToldReport = z.infer<typeof ToldReport>;

export const ToldCounted = z
  .object({
    told: z.int().describe("Memories that were counted as told; those that the caller does not see are passed over."),
    watched: z
      .int()
      .describe("Memories that were counted as watched: those with a telling that was not, as with `used`."),
    used: z.int(),
  })
  .meta({ id: "ToldCounted" });
export type ToldCounted = z.infer<typeof ToldCounted>;

export const ToldCounts = z
  .object({
    memory_id: z.string().meta({ format: "uuid" }),
    told: z.int().describe("How often hooks told it, since it says what it says."),
    watched: z
      .int()
      .describe(
        "Of how many tellings it could be seen whether they were taken up; not where a harness keeps no transcript.",
      ),
    used: z.int().describe("How many of them were."),
    last_told_at: instant().nullable(),
  })
  .meta({ id: "ToldCounts", description: "How often a memory was told and used." });
export type ToldCounts = z.infer<typeof ToldCounts>;

/** What a row keeps of its score before hooks, which tell no longer so readily what was told often and never used. */
export function keptOfScore({ watched, used }: Pick<ToldCounts, "watched" | "used">): number {
  if (used > 0 || watched <= SINKS_FROM) return 1;
  const sunk = Math.min(1, (watched - SINKS_FROM) / (SUNK_AT - SINKS_FROM));
  return 1 - sunk * (1 - LEAST_KEPT);
}
