import type { ListedSkill } from "../../core/schema/skill.ts";
import { SkillList, skillDigest } from "../../core/schema/skill.ts";
import type { CallLocal } from "../call.ts";
import { Refused } from "../call.ts";

const NOT_FOUND = 404;

/** All skills of the tenant, page by page, newest change first. Throws Refused, also for a server that cannot tell which are approved. */
export async function listedSkills(call: CallLocal, fleet_id: string | null): Promise<ListedSkill[]> {
  const skills: ListedSkill[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const query = new URLSearchParams({ offset: String(offset), ...(fleet_id === null ? {} : { fleet_id }) });
    const page: SkillList = SkillList.parse(await call("GET", `/api/v1/skills?${query}`).catch(tooOld));
    skills.push(...page.items);
    offset = page.next_offset;
  }
  return skills;
}

function tooOld(error: unknown): never {
  if (error instanceof Refused && error.status === NOT_FOUND)
    throw new Refused(
      "This server does not tell which skills a person approved. Upgrade it first.",
      error.code,
      NOT_FOUND,
    );
  throw error;
}

/** Whether a skill is to be delivered, and is what was approved: looked at again, whatever the server says. */
export const isSound = ({ is_delivered, approval, data }: ListedSkill): boolean =>
  is_delivered && approval !== null && approval.digest === skillDigest(data);
