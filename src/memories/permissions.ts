import { readScopeOf } from "../access/read-scope.ts";
import { requireTenant } from "../access/tenant.ts";
import { ADMINISTER, requireOwnIdentity, requireTrust } from "../access/trust.ts";
import { requireVersion } from "../access/versions.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { MemoryFilter } from "../core/ports/memory-filter.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { Expected } from "../core/schema/common.ts";
import { toMemoryView } from "./view.ts";

/**
 * The memories a caller may change: what it sees, or, for the fully trusted credential of a whole tenant that speaks for
 * no agent, all of the tenant.
 */
export async function changeable(ctx: Ctx, tenant_id: string, asAgent?: string | null): Promise<MemoryFilter> {
  requireTenant(ctx, tenant_id);
  await requireOwnIdentity(ctx, asAgent);
  return isOfWholeTenant(ctx) && asAgent == null ? { tenant_id } : { tenant_id, read_scope: readScopeOf(ctx, asAgent) };
}

/** Whether the caller is the fully trusted credential of a whole tenant, which speaks for no agent. */
export const isOfWholeTenant = ({ principal: { agent_id, trust } }: Ctx): boolean =>
  agent_id === null && trust >= ADMINISTER;

/** An agent changes its own memories in its own fleet; others' only with the trust to administer. */
export function requireChangeOf(ctx: Ctx, memory: StoredMemory): void {
  const { agent_id, fleet_id } = ctx.principal;
  requireTrust(ctx, 1, "change a memory");
  if (agent_id === null) return;
  if (memory.agent_id !== agent_id) requireTrust(ctx, ADMINISTER, "change a memory of another agent");
  if (memory.fleet_id !== null && memory.fleet_id !== fleet_id) {
    requireTrust(ctx, ADMINISTER, "change a memory of another fleet");
  }
}

/** The state that the caller takes a memory to be in is still its state. Throws PRECONDITION_FAILED with the memory. */
export function requireAsSeen({ if_match }: Expected, memory: StoredMemory): void {
  if (if_match !== undefined) requireVersion(if_match, toMemoryView(memory));
}

/** Deleting takes the trust to administer. */
export const requireDelete = (ctx: Ctx): void => requireTrust(ctx, ADMINISTER, "delete memories");

/** The same words whether a memory does not exist or must not be seen: a refusal confirms nothing. */
export const noSuchMemory = (): AppError => new AppError("NOT_FOUND", "No such memory.");
