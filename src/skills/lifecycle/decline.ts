import { DAY_MS, toTimestamp } from "../../core/kernel/clock.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { DeferBody, InboxMoved, QuarantineBody, RejectBody } from "../../core/schema/skill.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { ReviewAddress } from "./reviewed.ts";
import { review, underReview } from "./reviewed.ts";

/** Leaves a staged skill where it is, at the end of the queue. Throws CONFLICT when it is not staged. */
export async function deferSkill(ctx: Ctx, address: ReviewAddress, body: DeferBody): Promise<InboxMoved> {
  const { skill } = await underReview(ctx, address, "defer");
  const deferred_at = toTimestamp(ctx.clock.now());
  const reason = body?.reason ?? undefined;
  return review(ctx, { seen: skill, move: "defer", reason, set: { deferred_at }, detail: "deferred" });
}

/** Takes a staged skill out of everybody's sight. Throws CONFLICT when it is not staged. */
export async function quarantineSkill(
  ctx: Ctx,
  address: ReviewAddress,
  { reason }: QuarantineBody,
): Promise<InboxMoved> {
  const { skill } = await underReview(ctx, address, "quarantine");
  const quarantined_at = toTimestamp(ctx.clock.now());
  return review(ctx, { seen: skill, move: "quarantine", reason, set: { quarantined_at, deferred_at: null } });
}

/**
 * Rejects a skill and bars its fingerprint for a while: that of its cluster, else that of its own text. Throws CONFLICT
 * when it is neither staged nor quarantined.
 */
export async function rejectSkill(ctx: Ctx, address: ReviewAddress, body: RejectBody): Promise<InboxMoved> {
  const { skill, factory } = await underReview(ctx, address, "reject");
  const { tenant_id, fleet_id, data } = skill;
  const now = ctx.clock.now();
  const days = body.cooloff_days ?? factory.rejection_cooloff_days;
  const [rejected_at, expires_at] = [toTimestamp(now), toTimestamp(now + days * DAY_MS)];
  return review(ctx, {
    seen: skill,
    move: "reject",
    reason: body.reason,
    set: { deferred_at: null },
    denylisted: {
      tenant_id,
      fleet_id,
      fingerprint: fingerprintOf(data),
      rejected_by: ctx.principal.agent_id,
      rejected_at,
      expires_at,
      reason: body.reason,
    },
    detail: `cool-off until ${expires_at}`,
  });
}
