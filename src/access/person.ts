import type { Ctx } from "../core/ports/context.ts";

/**
 * Whether a person speaks, as far as that can be told: an administrator whose credential is no agent's, by another door than
 * that of agents. Where nobody is asked for a key, the door alone tells.
 */
export const isPerson = ({ principal, door }: Pick<Ctx, "principal" | "door">): boolean =>
  principal.admin && principal.agent_id === null && door !== "mcp";
