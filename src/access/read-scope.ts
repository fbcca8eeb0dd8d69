import type { Caller } from "../core/ports/context.ts";
import type { ReadScope } from "../core/ports/memory-filter.ts";
import { requireTenant } from "./tenant.ts";
import { CROSS_FLEET_READ } from "./trust.ts";

/** Where the caller stands when it reads as `asAgent` (its own agent when absent). */
export function readScopeOf(ctx: Caller, asAgent?: string | null): ReadScope {
  const { principal } = ctx;
  const home = principal.fleet_id === null ? [] : [principal.fleet_id];
  return {
    tenant_id: requireTenant(ctx),
    agent_id: principal.agent_id ?? asAgent ?? null,
    home: principal.fleet_id,
    fleets: principal.trust >= CROSS_FLEET_READ ? "all" : home,
  };
}
