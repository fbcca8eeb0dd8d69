import { z } from "zod";
import { preview, sentence } from "../core/kernel/text.ts";
import { AgentId, ProjectName } from "../core/schema/common.ts";
import { Told, told } from "./told.ts";
import { ToolError } from "./tool-error.ts";

/** For whom and in which project a tool works, and what said so. */
export interface Scope {
  /** Throws ToolError where what names it is broken: nothing then goes to everyone by mistake. */
  readonly project: string | null;
  /** Why its project cannot be told, where what names it is broken; else null. */
  readonly fault: string | null;
  /** Where the name of the project is from: an argument, what the client sent along, or nowhere. */
  readonly project_source: string;
  /** The agent that writes, and sees its own private memories. */
  readonly agent_id: string;
}

/** Arguments that every tool about memories takes. */
export const ScopeArguments = {
  project: ProjectName.optional().describe("Project; else this client's."),
  agent_id: AgentId.optional().describe("Who speaks; else this client."),
};

/** What every answer says of its scope. */
export const ScopeAnswer = {
  project: z.string().nullable(),
  project_source: z.string().describe("What named the project."),
};

/** Who writes when nobody is named. */
const NOBODY = "mcp-agent";
const NONE = "no project named";
/** Characters of what a client says is wrong with its project. */
const FAULT_MAX = 1_000;

/** What a request says of its scope. */
export interface ScopeSources {
  readonly headers: Headers;
  /** The agent and the project that its key is bound to. */
  readonly bound: { readonly agent_id: string | null; readonly fleet_id: string | null };
  /** The name of its program. */
  readonly client: string | null;
}

/** The scope of a call: its arguments before what its key is bound to or the client sent along, and that before nothing. */
export function scopeOf(
  given: { project?: unknown; agent_id?: unknown },
  { headers, bound, client }: ScopeSources,
): Scope {
  const named = typeof given.agent_id === "string" ? given.agent_id : bound.agent_id;
  const agent_id = named ?? (decoded(headers.get("x-cairn-agent")) || slug(client) || NOBODY);
  if (typeof given.project === "string")
    return { agent_id, project: given.project, fault: null, project_source: "argument" };
  const sent = decoded(headers.get("x-cairn-project"));
  if (sent !== "") {
    const project_source = ProjectName.safeParse(decoded(headers.get("x-cairn-project-source"))).data ?? "client";
    const { data: project, error } = ProjectName.safeParse(sent);
    if (error) return withoutProject(agent_id, sentence(`The header X-Cairn-Project: ${error.issues[0]?.message}`));
    return { agent_id, project, fault: null, project_source };
  }
  const fault = decoded(headers.get("x-cairn-project-fault"));
  if (fault !== "") return withoutProject(agent_id, fault);
  if (bound.fleet_id !== null) return { agent_id, project: bound.fleet_id, fault: null, project_source: "key" };
  return { agent_id, project: null, fault: null, project_source: NONE };
}

/** The scope of a client whose project cannot be told: whatever asks for it is refused. What binds everyone needs none. */
function withoutProject(agent_id: string, why: string): Scope {
  const fault = sentence(preview(why, FAULT_MAX));
  return {
    agent_id,
    fault,
    project_source: NONE,
    get project(): never {
      throw new ToolError("INVALID_ARGUMENTS", `${fault} Mend it, or name the project in this call.`);
    },
  };
}

/** Names may hold any character, headers none but Latin ones: clients send them percent-encoded. */
function decoded(value: string | null): string {
  if (value === null) return "";
  try {
    return decodeURIComponent(value).trim();
  } catch {
    return value.trim();
  }
}

/** The name of a program as that of an agent. */
export const slug = (name: string | null): string =>
  (name ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^-+|(?<!-)-+$/g, "")
    .slice(0, 100);

/** How an answer tells its scope in words. */
export const scopeLine = ({ project, project_source }: Scope): Told =>
  project === null
    ? told`No project: looked at everything this caller may read.`
    : told`Project ${Told.name(project)} (${project_source}) and what is shared beyond it.`;
