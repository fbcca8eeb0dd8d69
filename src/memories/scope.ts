import { readScopeOf } from "../access/read-scope.ts";
import { requireTenant } from "../access/tenant.ts";
import { CROSS_FLEET_READ, requireFleets, requireOwnIdentity, requireTrust } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { MemoryFilter } from "../core/ports/memory-filter.ts";
import type { StatsScope } from "../core/schema/memory-query.ts";

interface Scoped {
  readonly tenant_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly fleet_id?: string | undefined;
  readonly shared_only?: boolean | undefined;
  readonly written_by?: string | undefined;
  readonly scope?: StatsScope | undefined;
}

/**
 * Whose memories a list or an aggregate covers, within what the caller sees. Throws BAD_REQUEST for a scope that lacks
 * its agent or fleet, AGENT_TRUST_TOO_LOW and FLEET_SCOPE_FORBIDDEN for one that is too wide for the caller.
 */
export async function scopedFilter(ctx: Ctx, query: Scoped): Promise<MemoryFilter> {
  const tenant_id = requireTenant(ctx, query.tenant_id);
  await requireOwnIdentity(ctx, query.agent_id);
  const { fleet_id, written_by } = query;
  const base = { tenant_id, read_scope: readScopeOf(ctx, query.agent_id) };
  const fleets = placeOf(query);
  switch (query.scope) {
    case "agent":
      return { ...base, written_by: ownAgent(ctx, query), fleets };
    case "fleet":
      return { ...base, written_by, fleets: oneFleet(scopeFleet(ctx, query)) };
    case "all":
      requireTrust(ctx, CROSS_FLEET_READ, "read the whole tenant");
      return { ...base, written_by, fleets };
    case undefined:
      if (fleet_id !== undefined) requireFleets(ctx, [fleet_id], CROSS_FLEET_READ);
      return { ...base, written_by, fleets };
    default:
      return query.scope satisfies never;
  }
}

function ownAgent(ctx: Ctx, { agent_id, written_by }: Scoped): string {
  requireTrust(ctx, 1, "read its own memories");
  const own = ctx.principal.agent_id ?? agent_id;
  if (own === undefined)
    throw new AppError("BAD_REQUEST", "scope=agent needs agent_id, or a key that belongs to an agent.");
  if (written_by !== undefined && written_by !== own) {
    throw new AppError("BAD_REQUEST", "scope=agent covers the agent's own memories; written_by names another author.");
  }
  return own;
}

function scopeFleet(ctx: Ctx, { fleet_id, shared_only }: Scoped): string {
  requireTrust(ctx, 1, "read its fleet");
  if (shared_only)
    throw new AppError("BAD_REQUEST", "scope=fleet covers a fleet; shared_only asks for what is of none.");
  const fleet = fleet_id ?? ctx.principal.fleet_id;
  if (fleet == null) throw new AppError("BAD_REQUEST", "scope=fleet needs fleet_id, or a key that belongs to a fleet.");
  requireFleets(ctx, [fleet], CROSS_FLEET_READ);
  return fleet;
}

/** Rows of exactly this fleet. */
export const oneFleet = (fleet_id: string | undefined): MemoryFilter["fleets"] =>
  fleet_id === undefined ? undefined : { ids: [fleet_id], orShared: false };

/** What belongs to every fleet. */
export const SHARED: MemoryFilter["fleets"] = { ids: [], orShared: true };

/** Rows of the fleet that is named, or of all of them. */
export const placeOf = ({ fleet_id, shared_only }: Pick<Scoped, "fleet_id" | "shared_only">): MemoryFilter["fleets"] =>
  shared_only ? SHARED : oneFleet(fleet_id);
