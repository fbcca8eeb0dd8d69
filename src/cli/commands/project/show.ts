import { ProjectList } from "../../../core/schema/projects/project.ts";
import { padTo } from "../../columns.ts";
import type { Cli } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { sayProject } from "../../scope.ts";
import { pathOf } from "../../which-project.ts";

const SOURCES: Readonly<Record<string, string>> = {
  argument: "as it was named",
  ".cairn.json": "by the .cairn.json",
  repository: "by the id that the repository keeps",
  "git remote": "by the git remote",
  "git folder": "by the git folder, as there is no remote",
};

/** Says which project the folder is, why, and under which names. */
export async function showProject(cli: Cli): Promise<void> {
  const { out, project, evidence, isTrusted } = cli;
  if (out.isJson)
    return out.json({ project, is_trusted: isTrusted, evidence, known_from: project?.source ?? "no project named" });
  if (project === null) {
    out.line("No project.");
    out.note(
      "What is written here is for everyone, and what is for everyone is seen here. A git repository is a project,",
    );
    return out.note(
      'and so is a folder with {"project": "NAME"} in .cairn.json; --project NAME names one for a command.',
    );
  }
  const { id, name, names, source, is_new, unsettled_before } = project;
  const line = (what: string, text: string) => out.line(`${padTo(what, WIDTH)}${plainText(text)}`);
  line("Project", name);
  line("Told", SOURCES[source] ?? source);
  line("Id", id);
  if (names.length > 1) line("Names", names.filter((one) => one !== id).join(", "));
  if (evidence?.remote !== undefined) line("Remote", evidence.remote);
  if (evidence?.at !== undefined) line("Folder", pathOf(evidence.at));
  if (is_new) out.note("Nothing is stored in it yet.");
  if (!isTrusted)
    out.note("It was first used from elsewhere: nothing of it is told or stored here before `cairn project trust`.");
  else if (unsettled_before !== null)
    out.note(
      `What was written before ${out.date(unsettled_before)} may be another project's of the same name: \`cairn project split\` places it.`,
    );
  else out.note(`${sayProject(project)}: what is written here is its own; that and what is for everyone is seen here.`);
}
const WIDTH = 9;

/** All projects, with what they hold and where they are from. */
export async function listProjects(cli: Cli): Promise<void> {
  const { call, out, tenant_id, project } = cli;
  const reply = await call("GET", `/api/v1/projects?${new URLSearchParams({ tenant_id })}`);
  if (out.isJson) return out.json(reply);
  const { items } = ProjectList.parse(reply);
  out.table(items, [
    { title: "PROJECT", value: ({ name, id }) => (id === project?.id ? `${name} (here)` : name) },
    { title: "ID", value: ({ id }) => id },
    { title: "MEMORIES", value: ({ memory_count }) => String(memory_count), isRight: true },
    { title: "FROM", value: originOf, isWide: true },
  ]);
  if (items.length === 0) out.note("No project is known yet: the first save in a repository makes one.");
  for (const { name, unsettled_count } of items)
    if (unsettled_count > 0)
      out.note(
        `${plainText(name)}: ${unsettled_count} memories may be another project's: \`cairn project split --project ${plainText(name)}\`.`,
      );
}

const originOf = ({ remotes: [remote], places: [place], origin }: Listed): string =>
  remote ?? (place === undefined ? origin : pathOf(place));
type Listed = ProjectList["items"][number];
