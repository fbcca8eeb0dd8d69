import { AppError } from "../core/kernel/errors.ts";
import type { Caller } from "../core/ports/context.ts";

/** The tenant of the call. Throws UNAUTHORIZED without one, TENANT_MISMATCH when the request names another. */
export function requireTenant(ctx: Caller, named?: string): string {
  const { tenant_id } = ctx.principal;
  if (tenant_id === null) {
    throw new AppError("UNAUTHORIZED", "No identity was resolved for this call. Send a key in X-API-Key.");
  }
  if (named !== undefined && named !== tenant_id) {
    throw new AppError("TENANT_MISMATCH", `tenant_id is not the tenant of this credential ('${tenant_id}').`);
  }
  return tenant_id;
}
