import { readScopeOf } from "../../access/read-scope.ts";
import { requireTenant } from "../../access/tenant.ts";
import { requireOwnIdentity, requireTrust } from "../../access/trust.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { ToldCounted, ToldReport } from "../../core/schema/observing/told.ts";

/** Counts what was told and what of it was used, of the rows that the caller sees. Throws AGENT_TRUST_TOO_LOW, for hooks go by the counts. */
export async function recordTold(ctx: Ctx, report: ToldReport): Promise<ToldCounted> {
  const tenant_id = requireTenant(ctx, report.tenant_id);
  await requireOwnIdentity(ctx, report.agent_id);
  requireTrust(ctx, 1, "count what was told");
  const { told, watched, used } = report;
  if (told.length + watched.length + used.length === 0) return { told: 0, watched: 0, used: 0 };
  const [read_scope, at] = [readScopeOf(ctx, report.agent_id), toTimestamp(ctx.clock.now())];
  return ctx.storage.tellings.record({ tenant_id, read_scope, told, watched, used, at });
}
