import type { Ctx } from "../ports/context.ts";
import type { AuditLog, AuditLogQuery } from "../schema/account.ts";
import { requireTenant } from "./tenant.ts";
import { requireAdmin } from "./trust.ts";

/** Who changed what, from what, to what, and why; newest first. Administrators only. */
export async function listAudit(ctx: Ctx, { tenant_id: named, ...query }: AuditLogQuery): Promise<AuditLog> {
  const tenant_id = requireTenant(ctx, named);
  requireAdmin(ctx);
  return { items: await ctx.storage.audit.list({ tenant_id, ...query }) };
}
