import type { Ctx } from "../ports/context.ts";
import { OrgSettings } from "../schema/settings.ts";
import { SKILL_UPDATES, SKILLS } from "../schema/skill.ts";
import { requireTenant } from "./tenant.ts";

/**
 * Whether the caller sees only active skills: everybody but administrators, once the tenant's skill factory is on. Only
 * asked where skills are among what is read; null reads every collection.
 */
export async function seesActiveSkillsOnly(ctx: Ctx, collection: string | null): Promise<boolean> {
  const reads = collection === null || collection === SKILLS || collection === SKILL_UPDATES;
  if (ctx.principal.admin || !reads) return false;
  return OrgSettings.parse(await ctx.storage.settings.get(requireTenant(ctx))).skills_factory.enabled;
}
