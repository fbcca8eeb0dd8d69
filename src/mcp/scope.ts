import { z } from "zod";
import { AgentId, FleetId } from "../schema/common.ts";

/** For whom and in which project a tool works, and what said so. */
export interface Scope {
  readonly project: string | null;
  /** Where the name of the project is from: an argument, what the client sent along, or nowhere. */
  readonly project_source: string;
  /** The agent that writes. */
  readonly agent_id: string;
  /** The agent that reads; null for the caller as it is. */
  readonly reader: string | null;
}

/** Arguments that every tool about memories takes. */
export const ScopeArguments = {
  project: FleetId.optional().describe("Project; else the one this client works in."),
  agent_id: AgentId.optional().describe("Agent that speaks; else this client."),
};

/** What every answer says of its scope. */
export const ScopeAnswer = {
  project: z.string().nullable(),
  project_source: z.string().describe("What named the project."),
};

/** Who writes when nobody is named. */
const NOBODY = "mcp-agent";
const NONE = "no project named";

/** What a request says of its scope; `bound` is the agent of its key, `client` the name of its program. */
export interface ScopeSources {
  readonly headers: Headers;
  readonly bound: string | null;
  readonly client: string | null;
}

/** The scope of a call: its arguments before what the client sent along, and that before nothing. */
export function scopeOf(
  given: { project?: unknown; agent_id?: unknown },
  { headers, bound, client }: ScopeSources,
): Scope {
  const named = typeof given.agent_id === "string" ? given.agent_id : null;
  const sent = decoded(headers.get("x-cairn-project"));
  const agent = named ?? bound ?? (decoded(headers.get("x-cairn-agent")) || slug(client) || NOBODY);
  const from =
    typeof given.project === "string"
      ? { project: given.project, project_source: "argument" }
      : sent === ""
        ? { project: null, project_source: NONE }
        : { project: sent, project_source: decoded(headers.get("x-cairn-project-source")) || "client" };
  return { ...from, agent_id: agent, reader: named ?? bound };
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

const slug = (name: string | null): string =>
  (name ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 100);

/** How an answer tells its scope in words. */
export const scopeLine = ({ project, project_source }: Scope): string =>
  project === null
    ? "No project: looked at everything this caller may read."
    : `Project ${project} (${project_source}) and what is shared beyond it.`;
