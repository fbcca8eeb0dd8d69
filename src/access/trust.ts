import { AppError } from "../core/kernel/errors.ts";
import type { Caller, Ctx, SearchStorage } from "../core/ports/context.ts";
import type { TrustLevel } from "../core/schema/access.ts";

/** Trust from which an agent reads the team memories of other fleets. */
export const CROSS_FLEET_READ: TrustLevel = 2;
/** Trust from which an agent deletes, changes the memories of others and writes into other fleets. */
export const ADMINISTER: TrustLevel = 3;

/** Throws AGENT_TRUST_TOO_LOW when the caller's trust does not reach the level. */
export function requireTrust(ctx: Caller, level: TrustLevel, verb: string): void {
  const { trust } = ctx.principal;
  if (trust >= level) return;
  throw new AppError("AGENT_TRUST_TOO_LOW", `To ${verb} needs trust ${level}; this credential has ${trust}.`, {
    required: level,
    trust,
  });
}

/** Throws ADMIN_REQUIRED for everyone but administrators. */
export function requireAdmin(ctx: Ctx): void {
  if (!ctx.principal.admin) throw new AppError("ADMIN_REQUIRED", "Only an administrator may do this.");
}

/** Throws ADMIN_REQUIRED for everyone but the owner of the machine. */
export function requireOwner(ctx: Ctx): void {
  if (ctx.principal.owner) return;
  throw new AppError("ADMIN_REQUIRED", "This is about all tenants: only the owner of the machine may do it.");
}

/** Where it is looked up at which home an agent is. */
export interface Agents {
  readonly storage: Pick<SearchStorage, "agents">;
}

/**
 * An agent's credential speaks for that agent alone; one of a fleet and no agent, without the trust to administer, for agents
 * whose home that fleet is and for those that nobody knows yet. Throws AGENT_IDENTITY_MISMATCH and FLEET_SCOPE_FORBIDDEN when a
 * request names another.
 */
export async function requireOwnIdentity(ctx: Caller & Agents, named: string | null | undefined): Promise<void> {
  const { agent_id, tenant_id, fleet_id, trust } = ctx.principal;
  if (named == null || named === agent_id) return;
  if (agent_id !== null)
    throw new AppError("AGENT_IDENTITY_MISMATCH", `This credential belongs to agent '${agent_id}', not to '${named}'.`);
  if (fleet_id === null || tenant_id === null || trust >= ADMINISTER) return;
  const known = await ctx.storage.agents.get(tenant_id, named);
  if (known === null || known.fleet_id === fleet_id) return;
  throw new AppError(
    "FLEET_SCOPE_FORBIDDEN",
    `Agent '${named}' has its home elsewhere than in fleet '${fleet_id}', which this key is of: name another agent, or use a key of that agent.`,
    { required: ADMINISTER, trust },
  );
}

/**
 * An agent without the trust for it neither writes for another fleet nor replaces what lies there. Throws
 * FLEET_SCOPE_FORBIDDEN.
 */
export function requireFleetOfWriter(ctx: Ctx, fleet_id: string | null | undefined): void {
  if (ctx.principal.agent_id !== null && fleet_id != null) requireFleets(ctx, [fleet_id], ADMINISTER);
}

/**
 * What the whole tenant shares is changed only by who could have made it so: whoever belongs to a fleet writes for that
 * fleet, and needs the trust to administer. Throws FLEET_SCOPE_FORBIDDEN.
 */
export function requireSharedWriter({ principal }: Ctx): void {
  const { trust, fleet_id } = principal;
  if (fleet_id === null || trust >= ADMINISTER) return;
  throw new AppError(
    "FLEET_SCOPE_FORBIDDEN",
    `All of the tenant share this: to change it for them, or to take it into one fleet, needs trust ${ADMINISTER} or a credential of no fleet.`,
    { required: ADMINISTER, trust },
  );
}

/** Throws FLEET_SCOPE_FORBIDDEN when the caller may not replace what lies in a fleet, or with all fleets. */
export const requireFleetOfStored = (ctx: Ctx, { fleet_id }: { readonly fleet_id: string | null }): void =>
  fleet_id === null ? requireSharedWriter(ctx) : requireFleetOfWriter(ctx, fleet_id);

/** Throws FLEET_SCOPE_FORBIDDEN when an agent names fleets beyond its own without the trust for it. */
export function requireFleets(ctx: Caller, fleets: readonly string[], level: TrustLevel): void {
  const { trust, fleet_id } = ctx.principal;
  const foreign = fleets.find((fleet) => fleet !== fleet_id);
  if (trust >= level || foreign === undefined) return;
  throw new AppError(
    "FLEET_SCOPE_FORBIDDEN",
    `Fleet (project) '${foreign}' is not this agent's own; that needs trust ${level}. An administrator makes it the agent's own with \`cairn keys create --agent AGENT --project PROJECT\`.`,
    {
      required: level,
      trust,
    },
  );
}
