import type { Caller } from "../core/ports/context.ts";
import { NEW_AGENT_TRUST } from "../core/schema/access.ts";
import { requireTenant } from "./tenant.ts";
import type { Agents } from "./trust.ts";
import { CROSS_FLEET_READ, requireOwnIdentity } from "./trust.ts";

export interface Acting {
  /** The agent that the call runs as; absent for the caller's own. */
  readonly agent_id: string | null | undefined;
  /** Fleets that the call names. */
  readonly fleets: readonly string[];
}

/**
 * The call as that agent would make it, with its trust and its home fleet; never with more than the caller itself has. An
 * agent that nobody knows has what a new one would have: its home is the fleet that it names first. Throws
 * AGENT_IDENTITY_MISMATCH and FLEET_SCOPE_FORBIDDEN when the credential may not speak for it.
 */
export async function actAs<C extends Caller & Agents>(ctx: C, { agent_id, fleets }: Acting): Promise<C> {
  const { principal } = ctx;
  const tenant_id = requireTenant(ctx);
  await requireOwnIdentity(ctx, agent_id);
  if (agent_id == null || principal.agent_id !== null) return ctx;
  const known = await ctx.storage.agents.get(tenant_id, agent_id);
  const trust = known?.trust_level ?? NEW_AGENT_TRUST;
  const home = known ? known.fleet_id : (fleets[0] ?? null);
  const isReadable = principal.trust >= CROSS_FLEET_READ || home === principal.fleet_id;
  return {
    ...ctx,
    principal: {
      ...principal,
      agent_id,
      fleet_id: isReadable ? home : null,
      trust: trust < principal.trust ? trust : principal.trust,
    },
  };
}
