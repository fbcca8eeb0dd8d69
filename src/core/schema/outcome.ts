import { z } from "zod";
import { listOf, Uuid } from "./common.ts";
import { Content } from "./memory.ts";
import { StatsScope } from "./memory-query.ts";
import { onePlace, Written } from "./places/place.ts";

export const OUTCOME_TYPES = ["success", "failure", "partial"] as const;
export const RELATED_MAX = 50;

export const OutcomeReport = z
  .object({
    ...Written,
    outcome: Content.describe("What came of it, as a whole statement: it is stored as a memory."),
    outcome_type: z.enum(OUTCOME_TYPES),
    related_ids: listOf(Uuid, RELATED_MAX).nullish().describe("Memories that were acted on: their weights move."),
    scope: StatsScope.default("agent"),
  })
  .check(onePlace)
  .meta({ id: "OutcomeReport" });
export type OutcomeReport = z.infer<typeof OutcomeReport>;

export const WeightAdjustment = z.object({
  memory_id: z.string(),
  old_weight: z.number(),
  new_weight: z.number().min(0).max(1),
  delta: z.number(),
});
export type WeightAdjustment = z.infer<typeof WeightAdjustment>;

export const OutcomeTaken = z
  .object({
    outcome_id: z.string().describe("The memory of type outcome; an earlier one that says the same."),
    outcome_type: z.enum(OUTCOME_TYPES),
    scope: StatsScope,
    weight_adjustments: z.array(WeightAdjustment),
    rules_generated: z.array(z.never()).describe("Always empty: rules are made by people, as keystones."),
    rule_skipped_reason: z.enum(["not_a_failure", "rules_are_keystones"]),
    weight_adjustment_skipped_reason: z.enum(["no_related_ids", "none_in_scope"]).nullable(),
    out_of_scope_count: z.int().describe("Related memories that do not exist, or not for this caller and scope."),
    evolve_ms: z.int(),
  })
  .meta({ id: "OutcomeTaken" });
export type OutcomeTaken = z.infer<typeof OutcomeTaken>;
