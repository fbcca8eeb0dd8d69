import { actorOf } from "../access/actor.ts";
import { requireTenant } from "../access/tenant.ts";
import { requireAdmin } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { Ctx } from "../core/ports/context.ts";
import type {
  ForgeRunList,
  ForgeRunQuery,
  LifecycleFanout,
  LifecycleRequest,
  LifecycleTriggered,
} from "../core/schema/forge.ts";
import { LIFECYCLE_ACTIONS } from "../core/schema/forge.ts";
import { skillsFactory } from "../skills/lifecycle/factory.ts";
import { requestRun } from "./schedule.ts";

/** A second fan-out within this time sets nothing off. */
const FANOUT_QUIET_MS = 3_600_000;

/**
 * Sets off a run for every opted-in tenant that had none within the last hour. A standalone administrator does so for all
 * tenants, every other one for its own. Administrators only; throws NOT_FOUND for an action that there is not.
 */
export async function fanOut(ctx: Ctx, action: string): Promise<LifecycleFanout> {
  const own = requireTenant(ctx);
  requireAdmin(ctx);
  requireAction(action);
  const optedIn = await ctx.storage.forge.optedIn();
  const tenants = ctx.principal.auth_source === "standalone" ? optedIn : optedIn.filter((id) => id === own);
  let published = 0;
  let failed = 0;
  for (const tenant_id of tenants) {
    const request = { tenant_id, trigger: "fanout", quiet_ms: FANOUT_QUIET_MS, actor: actorOf(ctx) } as const;
    try {
      if ((await requestRun(ctx, request)).outcome === "queued") published++;
    } catch (error) {
      failed++;
      ctx.log.warn("forge not set off", { cause: describeCause(error) });
    }
  }
  return { action, published, failed };
}

/**
 * Sets off a run for one tenant, whenever the last one was; one that waits or runs is that run. Administrators only. Throws
 * NOT_FOUND for an action that there is not, SKILLS_FACTORY_DISABLED where the tenant has not opted in.
 */
export async function trigger(ctx: Ctx, action: string, body: LifecycleRequest): Promise<LifecycleTriggered> {
  requireAdmin(ctx);
  requireAction(action);
  const org_id = ctx.principal.auth_source === "standalone" ? body.org_id : requireTenant(ctx, body.org_id);
  const { enabled } = await skillsFactory(ctx, org_id);
  if (!enabled) throw new AppError("SKILLS_FACTORY_DISABLED", "The skill factory of this tenant is not enabled.");
  const fleet_id = body.fleet_id ?? null;
  const request = { tenant_id: org_id, fleet_id, trigger: "manual", quiet_ms: 0, actor: actorOf(ctx) } as const;
  return { action, org_id, audit_id: (await requestRun(ctx, request)).audit_id };
}

function requireAction(action: string): void {
  if (LIFECYCLE_ACTIONS.some((known) => known === action)) return;
  throw new AppError("NOT_FOUND", `There is no lifecycle action '${action}'.`);
}

/** What the Forge did for the tenant, newest run first: what agents of all fleets work on. Administrators only. */
export async function listForgeRuns(ctx: Ctx, { tenant_id, limit }: ForgeRunQuery): Promise<ForgeRunList> {
  const tenant = requireTenant(ctx, tenant_id);
  requireAdmin(ctx);
  return { items: await ctx.storage.forge.runs(tenant, limit) };
}
