import { z } from "zod";
import { actorOf } from "../access/actor.ts";
import { AppError } from "../core/kernel/errors.ts";
import { rounded } from "../core/kernel/text.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { OutcomeReport, OutcomeTaken } from "../core/schema/outcome.ts";
import { WeightAdjustment } from "../core/schema/outcome.ts";
import type { WriteScope } from "./draft.ts";
import { writeScope } from "./draft.ts";
import { decideChange } from "./patch.ts";
import { requireChangeOf } from "./permissions.ts";
import { scopedFilter } from "./scope.ts";
import { writeMemory } from "./write.ts";

/** How far an outcome moves the weight of what was acted on. */
const DELTAS = { success: 0.1, failure: -0.15, partial: 0.03 } as const;
const WEIGHT_FLOOR = 0.05;

/**
 * What is kept beside an outcome, where no caller writes, so that a report that was cut off is carried out to the same end
 * when it is repeated.
 */
const Plan = z.object({ weights: z.array(WeightAdjustment) });

/**
 * Stores what came of acting on memories, and moves their weights within what the caller may change. Throws what a write and
 * a scope throw; an outcome that is stored already is taken as that one.
 */
export async function reportOutcome(ctx: Ctx, report: OutcomeReport, attempt: string | null): Promise<OutcomeTaken> {
  const startedAt = ctx.clock.now();
  const { outcome_type, scope } = report;
  const related = [...new Set(report.related_ids)];
  const author = await writeScope(ctx, report);
  const changeable = await changeableAmong(ctx, report, { author, related });
  const planned = changeable.map((row) => adjusted(row, outcome_type));
  const { outcome_id, weights } = await storeOutcome(ctx, report, { author, related, planned, attempt });
  // A plan is no permission: a row that was deleted meanwhile, or that the caller may no longer change, keeps its weight.
  const allowed = new Set(changeable.map(({ id }) => id));
  for (const { memory_id, new_weight } of weights.filter((one) => allowed.has(one.memory_id)))
    await setWeight(ctx, author.tenant_id, memory_id, new_weight);
  return {
    outcome_id,
    outcome_type,
    scope,
    weight_adjustments: [...weights],
    rules_generated: [],
    rule_skipped_reason: outcome_type === "failure" ? "rules_are_keystones" : "not_a_failure",
    weight_adjustment_skipped_reason:
      weights.length > 0 ? null : related.length === 0 ? "no_related_ids" : "none_in_scope",
    out_of_scope_count: related.length - weights.length,
    evolve_ms: Math.round(ctx.clock.now() - startedAt),
  };
}

interface About {
  readonly author: WriteScope;
  readonly related: readonly string[];
}

/** The related rows that lie within the scope and that the caller may change. */
async function changeableAmong(ctx: Ctx, report: OutcomeReport, { author, related }: About): Promise<StoredMemory[]> {
  const { tenant_id, agent_id } = author;
  const filter = await scopedFilter(ctx, {
    tenant_id,
    agent_id,
    fleet_id: report.fleet_id ?? undefined,
    scope: report.scope,
  });
  if (related.length === 0) return [];
  const page = { sort: "created_at", order: "desc", after: null, offset: 0, limit: related.length } as const;
  const rows = await ctx.storage.memories.list({ ...page, filter: { ...filter, ids: [...related] } });
  return rows.filter((row) => mayChange(ctx, row));
}

function mayChange(ctx: Ctx, row: StoredMemory): boolean {
  try {
    requireChangeOf(ctx, row);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function adjusted({ id, weight }: StoredMemory, outcome_type: OutcomeReport["outcome_type"]): WeightAdjustment {
  const new_weight = rounded(Math.min(1, Math.max(WEIGHT_FLOOR, weight + DELTAS[outcome_type])));
  return { memory_id: id, old_weight: weight, new_weight, delta: rounded(new_weight - weight) };
}

interface Planned extends About {
  readonly planned: readonly WeightAdjustment[];
  readonly attempt: string | null;
}

async function storeOutcome(ctx: Ctx, report: OutcomeReport, { author, related, planned, attempt }: Planned) {
  const { outcome: content, outcome_type } = report;
  const metadata = { outcome_type, related_ids: [...related] };
  const { fleet_id, visibility } = author;
  const body = { ...author, content, memory_type: "outcome" as const, metadata };
  try {
    const kept = { weights: [...planned] };
    const { memory } = await writeMemory(ctx, { body, ignored: [], attempt, kept, place: { fleet_id, visibility } });
    return { outcome_id: memory.id, weights: Plan.safeParse(memory.system_metadata).data?.weights ?? [] };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "DUPLICATE_MEMORY") throw error;
    return { outcome_id: String(error.details?.existing_id), weights: planned };
  }
}

async function setWeight(ctx: Ctx, tenant_id: string, id: string, weight: number): Promise<void> {
  const rules = { mode: "merge", now: ctx.clock.now() } as const;
  await ctx.storage.memories.update({ tenant_id, ids: [id] }, actorOf(ctx), (current) => {
    requireChangeOf(ctx, current);
    return { ...decideChange(current, { weight }, rules), reason: "what came of acting on it was reported" };
  });
}
