import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { Authorship } from "../core/schema/keystone.ts";

/** Who calls, and by which door. */
type Call = Pick<Ctx, "principal" | "door" | "speaker">;

/** Whether an agent calls: over MCP, or with a key of its own. */
const isAgent = ({ principal, door }: Call): boolean => door === "mcp" || principal.agent_id !== null;

/**
 * Whether a person speaks, as far as that can be told: an administrator whose credential is no agent's, by another door than
 * that of agents. Where nobody is asked for a key, the door alone tells.
 */
export const isPerson = (ctx: Call): boolean => ctx.principal.admin && !isAgent(ctx);

/** Whether it may be anybody: an agent over MCP with the rights of the owner, without a key or with the one that all share. */
export const isUnknownCaller = ({ principal, door }: Call): boolean => door === "mcp" && principal.owner;

/** Whether the caller is known to be an administrator: over MCP without a key of its own any agent has the owner's rights. */
export const isAdministrator = (ctx: Call): boolean => ctx.principal.admin && !isUnknownCaller(ctx);

/** Throws PERSON_REQUIRED where no key of its own says that the caller over MCP is no mere agent. */
export function requireKnownCaller(ctx: Call, done: string): void {
  if (isUnknownCaller(ctx))
    throw personRequired(`${done} by people: over MCP without a key of its own it may be any agent.`);
}

/** Throws PERSON_REQUIRED for agents, whatever their trust. */
export function requirePerson(ctx: Call, done: string): void {
  if (isAgent(ctx))
    throw personRequired(`${done} by people alone: on a terminal, in the console or with a key of no agent.`);
}

export const personRequired = (message: string): AppError => new AppError("PERSON_REQUIRED", message);

/** Who writes and through which door, as far as the server itself knows it; nothing that a caller claims of itself alone. */
export function authorshipOf(ctx: Call): Required<Omit<Authorship, "proposed_by">> {
  const { principal, door: set_over } = ctx;
  if (isPerson(ctx)) return { set_by: "person", author: principal.owner ? "owner" : "administrator", set_over };
  return { set_by: "agent", author: principal.agent_id ?? speakerOf(ctx), set_over };
}

/** Who calls without the credential of an agent, and is not known to be a person. */
function speakerOf({ principal, door, speaker = "" }: Call): string {
  if (door === "mcp") return speaker;
  return principal.auth_source === "gateway-header" ? "user of the gateway" : "holder of a tenant's key";
}
