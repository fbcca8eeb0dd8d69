import { isPerson } from "../../access/person.ts";
import { readScopeOf } from "../../access/read-scope.ts";
import { requireTenant } from "../../access/tenant.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { Inbox, InboxQuery } from "../../core/schema/skill.ts";
import { INBOX_LIST_MAX } from "../../core/schema/skill.ts";
import { toCard } from "./card.ts";
import type { SkillsFactory } from "./factory.ts";
import { skillsFactory } from "./factory.ts";

/**
 * Skills that wait for a reviewer, newest first, deferred ones last. Every member of the tenant may know what waits for
 * the fleets whose team memories it reads; what a staged skill says is not for agents. Throws SKILLS_FACTORY_DISABLED, SKILLS_INBOX_FORBIDDEN.
 */
export async function listInbox(ctx: Ctx, query: InboxQuery): Promise<Inbox> {
  const factory = await requireFactory(ctx);
  const { principal, storage } = ctx;
  if (query.include_content && principal.agent_id !== null && !principal.admin)
    throw forbidden("The content of staged skills is for administrators.");
  const tenant_id = requireTenant(ctx, query.tenant_id);
  const fleet_id = query.fleet_id ?? null;
  const limit = Math.min(query.limit, factory.inbox_max_pending, INBOX_LIST_MAX);
  const fleets = principal.admin ? "all" : readScopeOf(ctx).fleets;
  const bytes = ctx.limits.reply_bytes_limit;
  const found = await storage.skills.inbox({ tenant_id, fleet_id, fleets, offset: query.offset, limit, bytes });
  const items = found.items.map((skill) => toCard(skill, query));
  return { tenant_id, fleet_id, count: items.length, truncated: found.more, items };
}

/** The settings of the caller's tenant, which must have its factory switched on. Throws SKILLS_FACTORY_DISABLED. */
export async function requireFactory(ctx: Ctx): Promise<SkillsFactory> {
  const factory = await skillsFactory(ctx, requireTenant(ctx));
  if (factory.enabled) return factory;
  throw new AppError("SKILLS_FACTORY_DISABLED", "This tenant has not switched its skill factory on.");
}

/** Throws SKILLS_INBOX_FORBIDDEN for everyone but administrators, and for agents whatever their key may do: what a review lets through is delivered. */
export function requireReviewer(ctx: Ctx): void {
  if (!isPerson(ctx)) throw forbidden("Only an administrator whose credential is no agent's reviews skills.");
}

const forbidden = (message: string): AppError => new AppError("SKILLS_INBOX_FORBIDDEN", message);
