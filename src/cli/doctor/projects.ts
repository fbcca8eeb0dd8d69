import { counted } from "../../core/kernel/text.ts";
import type { Project } from "../../core/schema/projects/project.ts";
import { ProjectList } from "../../core/schema/projects/project.ts";
import type { CallLocal } from "../call.ts";
import { plainText } from "../output.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";

const say = about("data", "projects");

/** What of projects waits for a person: whose memories some are, and a merge that was broken off. */
export async function inspectProjects(call: CallLocal): Promise<DoctorFinding[]> {
  const { items } = ProjectList.parse(await call("GET", "/api/v1/projects?doubts=true"));
  const found = items.flatMap(inspected);
  return found.length > 0 ? found : [say.well(`${counted(items.length, "project")}, and nothing in doubt`)];
}

function inspected({ name, unsettled_before, unsettled_count, shared_count, absorbing }: Project): DoctorFinding[] {
  const named = plainText(name);
  const memories = (count: number) => counted(count, "memory", "memories");
  return [
    ...(unsettled_before === null
      ? []
      : [
          say.note(
            `${memories(unsettled_count)} of ${named} may be another project's of the same name, and no hook tells them: cairn project split --project ${named}`,
          ),
        ]),
    ...(shared_count === 0
      ? []
      : [
          say.note(
            `${memories(shared_count)} of ${named} can be seen from every project, and may have been meant for none: cairn list --project ${named} --visibility scope_org; cairn move ID... --to everyone`,
          ),
        ]),
    ...absorbing.map((from) =>
      say.fault(`${plainText(from)} is not yet wholly part of ${named}`, {
        why: "What was not moved yet is found in neither.",
        repair: `cairn project merge ${plainText(from)} --into ${named}`,
      }),
    ),
  ];
}
