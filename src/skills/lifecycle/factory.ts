import type { Services } from "../../core/ports/context.ts";
import { OrgSettings } from "../../core/schema/settings.ts";

export type SkillsFactory = OrgSettings["skills_factory"];

/** The tenant's settings of the skill factory, defaults filled in. */
export async function skillsFactory({ storage }: Pick<Services, "storage">, tenant_id: string): Promise<SkillsFactory> {
  return OrgSettings.parse(await storage.settings.get(tenant_id)).skills_factory;
}
