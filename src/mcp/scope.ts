import { z } from "zod";
import { preview, sentence } from "../core/kernel/text.ts";
import { AgentId, ProjectName } from "../core/schema/common.ts";
import type { Ask } from "./ask.ts";
import type { Place } from "./places/place.ts";
import { ALL_PROJECTS, FOR_EVERYONE, placeName, placeNamed } from "./places/place.ts";
import { Told, told } from "./told.ts";
import { ToolError } from "./tool-error.ts";

/** For whom and in which project a tool works, and what said so. */
export interface Scope {
  readonly place: Place;
  /** Where the name of the project is from: an argument, what the client sent along, its key, or nowhere. */
  readonly project_source: string;
  /** The agent that writes, and sees its own private memories. */
  readonly agent_id: string;
}

/** Arguments that every tool about memories takes. */
export const ScopeArguments = {
  project: ProjectName.optional().describe("Project; else this client's."),
  agent_id: AgentId.optional().describe("Who speaks; else this client."),
};

/** The project of a tool that only looks. */
export const LookedAt = ScopeArguments.project.describe("Project, * for all; else this client's.");

/** What every answer says of its scope. */
export const ScopeAnswer = {
  project: z.string().nullable(),
  project_source: z.string().describe("What named the project."),
};

/** The same as data. */
export const scopeAnswer = ({ place, project_source }: Scope): z.infer<z.ZodObject<typeof ScopeAnswer>> => ({
  project: placeName(place),
  project_source,
});

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

/** Who speaks: an argument before what the key is bound to or the client sent along, and that before nobody. */
export function speakerOf(given: { agent_id?: unknown }, { headers, bound, client }: ScopeSources): string {
  const named = typeof given.agent_id === "string" ? given.agent_id : bound.agent_id;
  return named ?? (decoded(headers.get("x-cairn-agent")) || slug(client) || NOBODY);
}

type Placed = Pick<Scope, "place" | "project_source">;

/**
 * The project of a call: an argument before what the client sent along or the key is bound to, and that before none. A project
 * that is named is made where something is to be saved in it. Throws ToolError for an argument that means several.
 */
export async function placeOf(
  ask: Ask,
  given: { project?: unknown },
  { headers, bound }: Pick<ScopeSources, "headers" | "bound">,
  save: boolean,
): Promise<Placed> {
  if (typeof given.project === "string")
    return { place: await placeNamed(ask, given.project, save), project_source: "argument" };
  const sent = decoded(headers.get("x-cairn-project"));
  if (sent !== "") {
    const { data: project, error } = ProjectName.safeParse(sent);
    if (error) return withoutProject(`The header X-Cairn-Project: ${error.issues[0]?.message}`);
    const project_source = ProjectName.safeParse(decoded(headers.get("x-cairn-project-source"))).data ?? "client";
    return placeSent(ask, { id: project, name: decoded(headers.get("x-cairn-project-name")), project_source, save });
  }
  const fault = decoded(headers.get("x-cairn-project-fault"));
  if (fault !== "") return withoutProject(fault);
  if (bound.fleet_id === null) return { place: FOR_EVERYONE, project_source: NONE };
  return { place: { kind: "project", id: bound.fleet_id, name: bound.fleet_id }, project_source: "key" };
}

interface Sent {
  readonly id: string;
  /** What it is shown as, by whoever has asked which project it is. */
  readonly name: string;
  readonly project_source: string;
  readonly save: boolean;
}

/** The project that a client names: by its id, with what it is shown as, or by one of its names. */
async function placeSent(ask: Ask, { id, name, project_source, save }: Sent): Promise<Placed> {
  const shown = ProjectName.safeParse(name).data;
  if (shown !== undefined) return { place: { kind: "project", id, name: shown }, project_source };
  try {
    return { place: await placeNamed(ask, id, save), project_source };
  } catch (error) {
    // A session begins, and what is for everyone is told, whatever the client is set up to send.
    if (!(error instanceof ToolError)) throw error;
    return withoutProject(error.message, error.code, error.details);
  }
}

/** What of a client whose project cannot be told: what needs it is refused. What is for everyone needs none. */
function withoutProject(why: string, code = "INVALID_ARGUMENTS", details: ToolError["details"] = {}): Placed {
  const message = `${sentence(preview(why, FAULT_MAX))} Mend it, or name the project in this call.`;
  return { place: { kind: "unknown", why: new ToolError(code, message, details) }, project_source: NONE };
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
export function scopeLine({ place, project_source }: Scope): Told {
  switch (place.kind) {
    case "project":
      return told`Project ${Told.name(place.name)} (${project_source}) and what is for everyone.`;
    case "all":
      return told`All projects that this caller may read.`;
    case "everyone":
    case "unknown":
      return told`No project: what is for everyone.`;
    default:
      return place satisfies never;
  }
}

/** What is said beside what is for everyone alone: how to see more, or why that is all. */
export function scopeNotes({ place }: Scope): string[] {
  if (place.kind === "everyone")
    return [`Only what is for everyone was looked at: project "${ALL_PROJECTS}" looks at all, project "NAME" at one.`];
  if (place.kind !== "unknown") return [];
  return [`Only what is for everyone was looked at, as it cannot be told which project this is: ${place.why.message}`];
}
