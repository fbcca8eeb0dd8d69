import type { AuditEntry } from "../core/ports/account-stores.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { Page } from "../core/ports/page.ts";
import type { AuditLogQuery } from "../core/schema/account.ts";
import { requireTenant } from "./tenant.ts";
import { requireAdmin } from "./trust.ts";

/** Who changed what, from what, to what, and why; newest first. Administrators only. */
export async function listAudit(ctx: Ctx, { tenant_id: named, ...query }: AuditLogQuery): Promise<Page<AuditEntry>> {
  const tenant_id = requireTenant(ctx, named);
  requireAdmin(ctx);
  return ctx.storage.audit.page({ tenant_id, ...query, bytes: ctx.limits.reply_bytes_limit });
}
