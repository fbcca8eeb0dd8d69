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

/** Whether it may be anybody: an agent over MCP with the rights of the owner, for nobody was asked for a key. */
export const isUnknownCaller = ({ principal, door }: Call): boolean =>
  door === "mcp" && principal.auth_source === "standalone";

/** Whether the caller is known to be an administrator: over MCP without a key anybody has the owner's rights. */
export const isAdministrator = (ctx: Call): boolean => ctx.principal.admin && !isUnknownCaller(ctx);

/** Throws PERSON_REQUIRED where no key says that the caller over MCP is no mere agent. */
export function requireKnownCaller(ctx: Call, done: string): void {
  if (isUnknownCaller(ctx)) throw personRequired(`${done} by people: over MCP without a key it may be any agent.`);
}

/** Throws PERSON_REQUIRED for agents, whatever their trust. */
export function requirePerson(ctx: Call, done: string): void {
  if (isAgent(ctx))
    throw personRequired(`${done} by people alone: on a terminal, in the console or with a key of no agent.`);
}

export const personRequired = (message: string): AppError => new AppError("PERSON_REQUIRED", message);

/** Who writes and through which door, as far as the server itself knows it; nothing that a caller claims of itself alone. */
export function authorshipOf(ctx: Call): Required<Omit<Authorship, "proposed_by">> {
  const { principal, door: set_over, speaker = "" } = ctx;
  if (isAgent(ctx)) return { set_by: "agent", author: principal.agent_id ?? speaker, set_over };
  return { set_by: "person", author: personOf(ctx), set_over };
}

function personOf({ principal: { owner, admin, auth_source } }: Call): string {
  if (owner) return "owner";
  if (admin) return "administrator";
  return auth_source === "gateway-header" ? "user of the gateway" : "holder of a tenant's key";
}
