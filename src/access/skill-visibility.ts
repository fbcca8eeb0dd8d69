import type { Ctx } from "../core/ports/context.ts";
import type { SkillVisibility, StoredDocument } from "../core/ports/document-store.ts";
import { OrgSettings } from "../core/schema/settings.ts";
import { SKILL_UPDATES, SKILLS } from "../core/schema/skill.ts";
import { readScopeOf } from "./read-scope.ts";
import { requireTenant } from "./tenant.ts";

/** The status of a skill that is delivered. */
export const ACTIVE = "active";

/** Whether the caller sees and moves skills of any status. What comes over MCP is an agent's, on the owner's own machine too. */
export const administersSkills = ({ principal, door }: Ctx): boolean => principal.admin && door !== "mcp";

/**
 * Which skills the caller sees, once the tenant's skill factory is on: everybody but administrators the active ones of the
 * fleets whose team memories it reads, and those of no fleet. Only asked where skills are among what is read (a null
 * collection reads all); null where nothing is hidden.
 */
export async function skillVisibility(ctx: Ctx, collection: string | null): Promise<SkillVisibility | null> {
  const reads = collection === null || collection === SKILLS || collection === SKILL_UPDATES;
  if (administersSkills(ctx) || !reads) return null;
  const { skills_factory } = OrgSettings.parse(await ctx.storage.settings.get(requireTenant(ctx)));
  return skills_factory.enabled ? skillVisibilityOf(ctx) : null;
}

/** The same where the factory is known to be on. */
export const skillVisibilityOf = (ctx: Ctx): SkillVisibility | null =>
  administersSkills(ctx) ? null : { fleets: readScopeOf(ctx).fleets };

/** Whether a skill is visible so. */
export const isVisibleSkill = (skill_visibility: SkillVisibility | null, { data, fleet_id }: StoredDocument): boolean =>
  skill_visibility === null || (data.status === ACTIVE && (fleet_id === null || isFleetOf(skill_visibility, fleet_id)));

const isFleetOf = ({ fleets }: SkillVisibility, fleet_id: string): boolean =>
  fleets === "all" || fleets.includes(fleet_id);
