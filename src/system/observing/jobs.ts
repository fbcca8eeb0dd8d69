import { requireTenant } from "../../access/tenant.ts";
import { requireAdmin } from "../../access/trust.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { UnfinishedJobs } from "../../core/schema/observing/jobs.ts";

/** Failing jobs that are shown. */
const FAILING_MAX = 100;

/** Jobs that are not finished: all of them for the owner of the machine, those of its tenant for another administrator. */
export async function listJobs(ctx: Ctx): Promise<UnfinishedJobs> {
  requireAdmin(ctx);
  const tenant_id = ctx.principal.owner ? null : requireTenant(ctx);
  const { jobs } = ctx.storage;
  const now = ctx.clock.now();
  const failing = await jobs.failing(tenant_id, FAILING_MAX);
  return {
    counts: [...(await jobs.countByKind(now, tenant_id))],
    failing: failing.map(({ run_after_ms, ...job }) => ({ ...job, run_after: toTimestamp(run_after_ms) })),
  };
}
