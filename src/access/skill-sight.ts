import type { Ctx } from "../ports/context.ts";
import { OrgSettings } from "../schema/settings.ts";
import { SKILLS } from "../schema/skill.ts";
import { requireTenant } from "./tenant.ts";

/**
 * Whether the caller sees only active skills: everybody but administrators, once the tenant's skill factory is on. Only
 * asked where skills are among what is read; null reads every collection.
 */
export async function seesActiveSkillsOnly(ctx: Ctx, collection: string | null): Promise<boolean> {
  if (ctx.principal.admin || (collection !== null && collection !== SKILLS)) return false;
  return OrgSettings.parse(await ctx.storage.settings.get(requireTenant(ctx))).skills_factory.enabled;
}
